import type { JsonSchema } from '../chat/tool.ts';

/**
 * What a model may write, whichever notation a server wants it in.
 *
 * - a string stands for itself: `<tool_call>\n`
 * - `all`: one behind the other
 * - `any`: one of these
 * - `many`: as often as it likes, up to `most`
 * - `json`: a JSON value that fits a schema; references in it count from `root`, by default from the schema itself
 * - `until`: any text in which none of these stands
 */
export type Form =
  | string
  | { readonly all: readonly Form[] }
  | { readonly any: readonly Form[] }
  | { readonly many: Form; readonly most: number }
  | { readonly json: JsonSchema; readonly root?: JsonSchema }
  | { readonly until: readonly string[] };
