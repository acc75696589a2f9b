import type { Dialect } from '@dragoman/core';
import { fillArguments } from './fill-arguments.ts';
import { type PlannedCall, planCalls } from './plan-calls.ts';
import { type AnsweredRequest, type PromptConversation, type PromptMessage, readPrompt } from './read-prompt.ts';
import { writeAnswer, writeCalls, writePlainAnswer } from './write-reply.ts';

/**
 * The demo model's reply to a prompt, as text in its dialect. It sees only that prompt: finds the tools that it documents,
 * the request and the results in it, calls the tools that fit the request's words and quotes what came back. The same
 * prompt always gives the same reply. Linear in the prompt's length.
 */
export function demoReply(messages: readonly PromptMessage[], dialect: Dialect): string {
  const conversation = readPrompt(messages, dialect);
  const { tools, oneAtATime, directory, callCount } = conversation;
  const { exchange, planned } = currentTask(conversation);
  const { request, calls, results } = exchange;
  const done = Math.max(results.length, calls.length);
  const [first, ...others] = planned.slice(done);
  if (first === undefined) return results.length > 0 ? writeAnswer(exchange) : writePlainAnswer(request, tools);
  const round = oneAtATime ? [first] : [first, ...others.filter(({ step }) => step === first.step)];
  const latestResult = results.findLast(({ failed }) => !failed)?.text;
  const made = round.map(({ tool, order }, index) => {
    const filled = fillArguments(tool.inputSchema, { order, latestResult, directory });
    return { callId: '', name: tool.name, arguments: JSON.stringify(filled), ordinal: callCount + index };
  });
  return writeCalls(made, { dialect, tools, request, done });
}

/**
 * The last request and the calls that it asks for. Words that follow results directly and ask for nothing, such as a
 * prompt's "go on", leave the request before them in force.
 */
function currentTask({ exchanges, tools, demand }: PromptConversation): {
  readonly exchange: AnsweredRequest;
  readonly planned: readonly PlannedCall[];
} {
  const exchange = exchanges.at(-1) ?? { request: '', calls: [], results: [] };
  const before = exchanges.at(-2);
  const isFresh = exchange.calls.length === 0 && exchange.results.length === 0;
  const followsResults = before !== undefined && before.results.length > 0 && isFresh;
  const current = followsResults && planCalls(exchange.request, tools, 'none').length === 0 ? before : exchange;
  return { exchange: current, planned: planCalls(current.request, tools, demand) };
}
