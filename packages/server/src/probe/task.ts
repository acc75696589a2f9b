import type { Message, ToolChoice, ToolDefinition } from '@dragoman/core';

/** What tasks are told apart by in a report, in its order. */
export const taskGroups = [
  'one call',
  'several calls',
  'no call',
  'forced',
  'typed arguments',
  'code in arguments',
  'results',
  'many tools',
  'long context',
] as const;

export type TaskGroup = (typeof taskGroups)[number];

/** A call as a client gets it. */
export interface ToldCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** One reply of a model, as a client gets it. */
export interface ToldReply {
  readonly text: string;
  readonly calls: readonly ToldCall[];
}

/** Why an answer is wrong is a plain sentence. */
export type Decision = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Judges an answer: all replies of the model, the last of which ends the task. Pure. */
export type Judge = (replies: readonly ToldReply[]) => Decision;

/** Something that a model is asked, and by code is known to have done or not. */
export interface ProbeTask {
  readonly id: string;
  readonly group: TaskGroup;
  /** What the model has to do, in a few words. */
  readonly title: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  /** Default: `auto`. */
  readonly toolChoice?: ToolChoice;
  /** Whether its client takes a second call in a reply. Default: it does. */
  readonly parallelToolCalls?: boolean;
  /** Tokens of a right answer, where they are many. */
  readonly writes?: number;
  readonly stream: boolean;
  readonly judge: Judge;
  /**
   * What the tools answer to a call; undefined where the task ends with it. Absent: the task ends with the first reply. A task has
   * at most `mostReplies` of them.
   */
  readonly world?: (call: ToldCall) => string | undefined;
  /** Tokens that it takes at least, where that is more than any window has. */
  readonly needs?: number;
}

/** Replies of one task. */
export const mostReplies = 5;
