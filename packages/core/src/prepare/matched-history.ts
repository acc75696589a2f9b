import type { ImagePart, Message, ToolCallPart } from '../chat/message.ts';
import type { ResultStatus } from '../chat/tool.ts';
import type { Warning } from '../chat/warning.ts';
import type { PlacedResult } from './pair-results.ts';

/** A call of the history with its outcome. */
export interface MatchedCall {
  readonly call: ToolCallPart;
  /** Position among all named calls of the conversation, from zero. */
  readonly ordinal: number;
  readonly status: ResultStatus;
  /** The output: capped, never empty, with notes for images; not escaped. */
  readonly text: string;
  /** The same, not capped. */
  readonly whole: string;
  readonly images: readonly ImagePart[];
  /** The output was longer than the rule allows. */
  readonly capped: boolean;
  /** The message that brought it; absent when none did. */
  readonly result?: PlacedResult;
}

/** The calls of a history with their results, and what had to be repaired. */
export interface MatchedHistory {
  /** The messages that the indices below count: the given ones, unless calls had to be made up. */
  readonly messages: readonly Message[];
  /** By the index of the assistant message: its named calls in their order, each with its outcome. */
  readonly rounds: ReadonlyMap<number, readonly MatchedCall[]>;
  /** By the index of the tool message: results without a call whose text is kept as context. */
  readonly orphans: ReadonlyMap<number, string>;
  readonly warnings: readonly Warning[];
}
