import type { NativeAnswer } from './read-deltas.ts';
import { readFileTool, runReadFile } from './read-file-tool.ts';
import { type GatewayAddress, sendRequest } from './send-request.ts';

/** One request with its answer and what the calls in it gave. */
export interface AgentStep {
  readonly request: AgentRequest;
  readonly answer: NativeAnswer;
  /** In the order of the calls. */
  readonly outcomes: readonly { readonly callId: string; readonly text: string; readonly ok: boolean }[];
}

export interface AgentRequest {
  readonly model: string;
  readonly stream: true;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly [typeof readFileTool];
}

interface CallBody {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export type AgentMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly CallBody[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface AgentTurn {
  readonly gateway: GatewayAddress;
  readonly model: string;
  readonly question: string;
  /** Files are read below this folder only. */
  readonly root: string;
  /** Hears of each step when it is over. */
  readonly onStep: (step: AgentStep) => void;
}

/** A model that still calls after so many answers will not come to an end. */
const mostSteps = 6;

/** Runs one turn as agents do: ask, run the calls, send their results, until an answer comes without calls. */
export async function runAgentTurn({ gateway, model, question, root, onStep }: AgentTurn): Promise<AgentStep[]> {
  const steps: AgentStep[] = [];
  const messages: AgentMessage[] = [
    { role: 'system', content: 'You are a helpful agent in a code repository.' },
    { role: 'user', content: question },
  ];
  while (steps.length < mostSteps) {
    const request: AgentRequest = { model, stream: true, messages: [...messages], tools: [readFileTool] };
    const answer = await sendRequest(gateway, request);
    const outcomes: AgentStep['outcomes'][number][] = [];
    for (const call of answer.calls) outcomes.push({ callId: call.id, ...(await runReadFile(call, root)) });
    const step = { request, answer, outcomes };
    steps.push(step);
    onStep(step);
    if (answer.calls.length === 0) return steps;
    messages.push({ role: 'assistant', content: answer.text, tool_calls: answer.calls.map(callBody) });
    for (const { callId, text } of outcomes) messages.push({ role: 'tool', tool_call_id: callId, content: text });
  }
  throw new Error(`The model still calls tools after ${mostSteps} answers.`);
}

function callBody({ id, name, arguments: text }: NativeAnswer['calls'][number]): CallBody {
  return { id, type: 'function', function: { name, arguments: text } };
}
