import type { JsonSchema } from '../chat/tool.ts';
import type { Notation } from './notation.ts';

/**
 * What a model may write, whichever notation a server wants it in.
 *
 * - a string stands for itself: `<tool_call>\n`
 * - `all`: one after the other
 * - `any`: one of these
 * - `many`: as often as it likes, up to `most` if there is one
 * - `json`: a value that fits a schema, as JSON or in another notation; references in it count from `root`, by default from the
 *   schema itself
 * - `until`: any text in which none of these stands
 * - `digits`: so many of them, at least and at most
 * - `name`: of a parameter that a model makes up: a `word` is letters, digits and `_`, a `text` whatever ends no mark
 * - `members`: the members of an object in their order, of which those that are not needed may be missing; `none` where none of
 *   them stands, `done` after the last
 */
export type Form =
  | string
  | { readonly all: readonly Form[] }
  | { readonly any: readonly Form[] }
  | { readonly many: Form; readonly most?: number | undefined }
  | { readonly json: JsonSchema; readonly root?: JsonSchema; readonly as?: Notation }
  | { readonly until: readonly string[] }
  | { readonly digits: readonly [least: number, most: number] }
  | { readonly name: 'word' | 'text' }
  | {
      readonly members: readonly MemberForm[];
      readonly others?: MemberForm;
      readonly mostOthers?: number | undefined;
      readonly none: Form;
      readonly done: Form;
    };

/** A member of an object. */
export interface MemberForm {
  /** In one of these ways. */
  readonly ways: readonly MemberWay[];
  readonly needed: boolean;
}

/** How a member is written. */
export interface MemberWay {
  /** Before it where it is the first, and where another one stands before. */
  readonly first: Form;
  readonly next: Form;
  /** After that. */
  readonly head: Form;
  readonly value: Form;
  readonly after: Form;
}
