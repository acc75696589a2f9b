import type { Message } from '../chat/message.ts';
import type { TemplateName } from '../plan/prompt-template.ts';
import type { SystemText } from '../plan/rules.ts';
import type { MatchedCall, MatchedHistory } from './matched-history.ts';

/** System text that was moved to where the upstream reads it. */
export interface SystemNote {
  readonly place: SystemText;
  /** How many system messages held text. */
  readonly texts: number;
  /** Their text in UTF-16 units. */
  readonly length: number;
}

/** One result that found its call. */
export interface MatchedNote {
  readonly tool: string;
  /** The first characters of the id. */
  readonly callId: string;
  readonly status: 'ok' | 'error';
  /** UTF-16 units of what the model is told. */
  readonly length: number;
}

/** The round of calls that a request brings the results of. */
export interface ResultsNote {
  /** Calls of the round. */
  readonly expected: number;
  /** Tool messages that followed it, with or without a call. */
  readonly received: number;
  /** In the order of the calls; the first twenty. */
  readonly matched: readonly MatchedNote[];
}

/** What was done to a request on its way to the model, for the log: names and numbers, never a text. */
export interface PromptNotes {
  readonly system?: SystemNote | undefined;
  readonly results?: ResultsNote;
  /** The template that the prompt was written by. */
  readonly template?: TemplateName;
  /** What the server lets the model write, and how it was told; absent where anything may be. */
  readonly constraint?: string;
  /** How its calls are read, as the plan says: what was refused is planned anew. */
  readonly toolCalling?: string;
}

const longestId = 8;
const mostMatched = 20;

/** Notes the last round of calls; undefined when the model has spoken since, or when there are no results to tell of. */
export function noteResults(messages: readonly Message[], matched: MatchedHistory): ResultsNote | undefined {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const round = matched.rounds.get(at);
  if (round === undefined) return undefined;
  const received = messages.slice(at + 1).filter((message) => message.role === 'tool').length;
  return { expected: round.length, received, matched: round.flatMap(noteMatched).slice(0, mostMatched) };
}

function noteMatched({ call, status, text }: MatchedCall): readonly MatchedNote[] {
  if (status === 'missing') return [];
  const { callId } = call;
  const shown = callId.length > longestId ? `${callId.slice(0, longestId)}…` : callId;
  return [{ tool: call.name, callId: shown, status, length: text.length }];
}
