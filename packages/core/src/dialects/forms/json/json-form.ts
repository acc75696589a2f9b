import type { CallOpener } from '../../parser/create-grammar.ts';
import type { MendedLiterals } from '../../parser/markers/repaired-literals.ts';
import type { Look, Scanner } from '../../parser/scanner.ts';
import type { BehindArgumentsForm } from './after-arguments.ts';
import { type CallKeys, commonKeys } from './call-keys.ts';
import { looksLikeCall } from './json-look.ts';

/** How a dialect writes calls as JSON objects, one by one or in a list. */
export interface JsonForm {
  /** In front of the object or list. */
  readonly openers: readonly (string | Omit<CallOpener, 'open'>)[];
  /** The most white space behind the opener or its header, in UTF-16 units. Default: as much as a look-ahead crosses. */
  readonly longestGap?: number;
  /** What ends a header between opener and JSON that names the tool, too. The name in the JSON counts for more. */
  readonly headerEnds?: readonly string[];
  /** Behind it; may be missing, since the JSON's own balance ends a call. */
  readonly closers: readonly string[];
  /** Servers take the closer away as a stop token, so its absence is nothing to tell of. Default false. */
  readonly closerOptional?: boolean;
  /** The keys of name, arguments and id where they are not the common ones, which count beside them. */
  readonly keys?: Partial<CallKeys>;
  /** The keys of an object are names of tools: `{"NAME": {…}}`. */
  readonly keyed?: boolean;
  /** Several objects stand behind one opener without a list, behind white space or one of these signs: `,` or `;`. */
  readonly sequence?: string;
  /** A Markdown fence may stand around the JSON. */
  readonly fenced?: boolean;
  /** What stands behind the opener is often no call: it counts only with one of these tools' names and arguments. */
  readonly guarded?: readonly string[];
  /** Calls of these tools may stand without an opener, at the start of a line; they are guarded. */
  readonly bare?: readonly string[];
}

/** A form with the opener that was found. */
export interface JsonBlock extends JsonForm {
  readonly opener: string;
  /** What ends a call, or opens another one, beside its closers. */
  readonly ends: readonly string[];
  /** What is wrong with closers behind it: asked when one stands there, since of many openers and closers most are never met. */
  readonly mended: () => MendedLiterals;
  /** The JSON stands in a Markdown fence behind the opener. */
  readonly inFence?: boolean;
  /** The name in the header; empty when it says none. */
  readonly header?: string;
}

/** Does a call open at `index`, where an object does? */
export function lookGuarded(block: JsonBlock, scanner: Scanner, index: number): Look {
  const { guarded: names } = block;
  return names === undefined ? 'yes' : looksLikeCall(scanner, index, { keys: keysOf(block), names });
}

/** The keys of a form, the common ones where it names none. */
export function keysOf({ keys }: JsonForm): CallKeys {
  return { ...commonKeys, ...keys };
}

/** What stands behind the arguments of a call. */
export function behindOf(block: JsonBlock): BehindArgumentsForm {
  const { closers, ends, fenced, inFence, keyed = false } = block;
  return { closers, ends, fenced: fenced || inFence, envelope: { keys: keysOf(block), keyed } };
}
