import { type Message, textOf } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';

/** What a request asks for, as its history tells; the choice of a prompt hangs on it. */
export interface Turn {
  /** `results`: the outcome of calls is to be told; `tools`: tools are there to be called; `simple`: neither. */
  readonly kind: 'tools' | 'results' | 'simple';
  /** The model has not said anything yet. */
  readonly isNew: boolean;
  /** Results of calls come after what the model said last. */
  readonly hasResults: boolean;
  /** What the model said last was its answer: it called nothing, or marked it as final. */
  readonly isAnswered: boolean;
  /** The index of the message that is the request: the last one of the user; -1 if there is none. */
  readonly request: number;
  /** Messages of the user before it since the model last spoke: clients send what surrounds a request first. */
  readonly context: readonly number[];
}

/** The mark by which older agent prompts let a model say that it is done. */
const finalAnswer = '<final_answer>';

/** Reads what the last turn of a history asks for. */
export function readTurn({
  messages,
  tools,
}: {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}): Turn {
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant');
  const since = messages.slice(spoken + 1);
  const users = since.flatMap(({ role }, at) => (role === 'user' ? [spoken + 1 + at] : []));
  const hasResults = since.some(({ role }) => role === 'tool');
  const isAnswered = isAnswer(messages[spoken]);
  return {
    kind: hasResults && !isAnswered ? 'results' : tools.length > 0 ? 'tools' : 'simple',
    isNew: spoken < 0,
    hasResults,
    isAnswered,
    request: messages.findLastIndex(({ role }) => role === 'user'),
    context: users.slice(0, -1),
  };
}

function isAnswer(message: Message | undefined): boolean {
  if (message?.role !== 'assistant') return false;
  const calls = message.content.some(({ type }) => type === 'tool-call');
  return !calls || textOf(message.content).includes(finalAnswer);
}
