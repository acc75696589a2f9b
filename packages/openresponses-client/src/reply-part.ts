import type { FinishReason, Usage } from '@dragoman/core';
import type { JsonObject } from './request-types.ts';
import type { ResponseResource } from './response-types.ts';

/**
 * What an answer consists of, in order, each piece once, whatever the events said twice. `end` comes last, or an error is
 * thrown.
 */
export type ReplyPart =
  /** A piece of text, as soon as it came. Pieces of white space are pieces, too. */
  | { readonly type: 'text'; readonly text: string }
  /** A piece of what the model says instead of an answer. */
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** What the server wants back with the thoughts before it, as an item of the next request. */
  | { readonly type: 'reasoning-sealed'; readonly encrypted: string }
  /** What the text before it cites; places count from the start of that text. */
  | { readonly type: 'annotations'; readonly annotations: readonly JsonObject[] }
  /** A whole call. `arguments` is the JSON text of an object, repaired where it was nearly that, by the tool's schema. */
  | { readonly type: 'call'; readonly callId: string; readonly name: string; readonly arguments: string }
  /** A call that broke off or whose arguments are no object, with what came of them. It must not run. */
  | { readonly type: 'call-cut'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The answer is over. `response` is the whole answer. */
  | { readonly type: 'end'; readonly reason: FinishReason; readonly response: ResponseResource };
