import type { DragomanError } from '../errors.ts';
import type { Extra } from './message.ts';
import type { Warning } from './warning.ts';

/** Tokens, as the upstream counted them or as we did (`source`). */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** How many of `inputTokens` were read from a cache. */
  readonly cachedInputTokens?: number;
  /** How many of `inputTokens` were written to a cache. */
  readonly cacheWriteInputTokens?: number;
  readonly reasoningTokens?: number;
  readonly source: 'upstream' | 'counted';
  /** The server is known to leave out of a prompt what does not fit its window, and to say nothing. */
  readonly truncates?: true;
}

/** Why a reply ended. The upstream's own word travels beside it as `rawFinishReason`. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter';

/**
 * One step of a reply. Blocks come one after another, numbered from zero; the deltas of a block add up to its content;
 * `message-start` comes first and exactly one terminal event (`message-end` or `error`) last. `checkEvents` of the testkit states
 * this grammar as a stage.
 */
export type ChatEvent =
  /** `truncates`: as in its usage. */
  | { readonly type: 'message-start'; readonly id: string; readonly model: string; readonly truncates?: true }
  /** `refusal`: the model says in this block why it will not answer. Wires without a word for that say it as text. */
  | { readonly type: 'text-start'; readonly block: number; readonly refusal?: true }
  | { readonly type: 'reasoning-start'; readonly block: number }
  /** `extra`: what one wire knows of this slice, such as the probabilities of its tokens; then the text may be empty. */
  | { readonly type: 'text-delta'; readonly block: number; readonly text: string; readonly extra?: Extra }
  | { readonly type: 'reasoning-delta'; readonly block: number; readonly text: string }
  /** `extra`: what one wire knows of the block, such as citations; or a block of its own, beside an empty text. */
  | { readonly type: 'text-end' | 'reasoning-end'; readonly block: number; readonly extra?: Extra }
  | { readonly type: 'tool-call-start'; readonly block: number; readonly callId: string; readonly name: string }
  /** A slice of JSON text. No prefix of a call's slices but the whole is valid JSON. */
  | { readonly type: 'tool-call-delta'; readonly block: number; readonly text: string }
  /** The call is whole; `arguments` is all slices joined: JSON text of an object. */
  | { readonly type: 'tool-call-end'; readonly block: number; readonly arguments: string }
  /** The call broke off and must not run. What the model wrote for it follows as text. */
  | { readonly type: 'tool-call-cut'; readonly block: number }
  /**
   * An upstream that keeps the conversation names it (`id`), or what the next message is to name as its parent. Comes
   * any number of times anywhere; what is absent is as it was.
   */
  | { readonly type: 'conversation'; readonly id?: string; readonly parentId?: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'warning'; readonly warning: Warning }
  | {
      readonly type: 'message-end';
      readonly finishReason: FinishReason;
      readonly rawFinishReason?: string;
      /** Which of the request's stop sequences ended the reply, where the upstream says so. */
      readonly stopSequence?: string;
      /** The upstream closed its stream without the mark that ends its replies: what was still open then was cut. */
      readonly unmarked?: true;
    }
  | { readonly type: 'error'; readonly error: DragomanError };
