import type { Dialect, PastCall } from '@dragoman/core';
import { knowTool } from './choose-tool.ts';
import { fillArguments } from './fill-arguments.ts';
import { type PlannedCall, planCalls } from './plan-calls.ts';
import type { PromptMessage } from './prompt.ts';
import { type Conversation, type Exchange, readConversation } from './read-conversation.ts';
import { Supply } from './supply.ts';
import { writeAnswer, writeCalls, writePlainAnswer } from './write-reply.ts';

/**
 * The demo model's reply to a prompt, as text in its dialect. It sees only that prompt: finds the tools it documents,
 * the request and the results in it, calls the tools that fit the request's words and quotes what came back. The same
 * prompt always gives the same reply. Linear in the prompt's length.
 */
export function demoReply(messages: readonly PromptMessage[], dialect: Dialect): string {
  const conversation = readConversation(messages, dialect);
  const { exchange, planned } = currentTask(conversation);
  const done = Math.max(exchange.results.length, exchange.calls.length);
  const round = nextRound(planned, { done, oneAtATime: conversation.rules.oneAtATime });
  if (round.length > 0) {
    const calls = round.map((call, index) =>
      makeCall(call, { conversation, exchange, ordinal: conversation.callCount + index }),
    );
    return writeCalls(calls, { dialect, tools: conversation.tools, request: exchange.request, done });
  }
  if (exchange.results.length > 0) return writeAnswer(exchange, conversation.tools);
  return writePlainAnswer(exchange.request, conversation.tools);
}

interface Task {
  readonly exchange: Exchange;
  readonly planned: readonly PlannedCall[];
}

/**
 * The last request and the calls it asks for. Words that follow results directly and ask for nothing, such as a prompt's
 * "go on", leave the request before them in force.
 */
function currentTask({ exchanges, tools, rules }: Conversation): Task {
  const known = tools.map(knowTool);
  const exchange = exchanges.at(-1) ?? { request: '', calls: [], results: [] };
  const before = exchanges.at(-2);
  const planned = planCalls(exchange.request, known, rules.demand);
  const followsResults = before !== undefined && before.results.length > 0 && isFresh(exchange);
  if (!followsResults || planCalls(exchange.request, known, 'none').length > 0) return { exchange, planned };
  return { exchange: before, planned: planCalls(before.request, known, rules.demand) };
}

function isFresh({ calls, results }: Exchange): boolean {
  return calls.length === 0 && results.length === 0;
}

/** The planned calls whose turn it is: the next ones of one step. Those that were made are over, whatever came of them. */
function nextRound(
  planned: readonly PlannedCall[],
  { done, oneAtATime }: { readonly done: number; readonly oneAtATime: boolean },
): PlannedCall[] {
  const [first, ...others] = planned.slice(done);
  if (first === undefined) return [];
  return oneAtATime ? [first] : [first, ...others.filter((call) => call.step === first.step)];
}

interface Making {
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly ordinal: number;
}

function makeCall({ tool, clause, mentions }: PlannedCall, { conversation, exchange, ordinal }: Making): PastCall {
  const latestResult = exchange.results.findLast((result) => !result.failed)?.text;
  const supply = new Supply({ clause, mentions, latestResult, directory: conversation.rules.directory });
  const { name, inputSchema } = tool.definition;
  return { callId: '', name, arguments: JSON.stringify(fillArguments(inputSchema, supply)), ordinal };
}
