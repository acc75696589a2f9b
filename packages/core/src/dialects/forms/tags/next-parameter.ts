import { type Closer, closes } from '../../parser/markers/positional-closer.ts';
import { isSpace, type Look, lookFor, type Scanner } from '../../parser/scanner.ts';
import type { TagHeader } from './tag-header.ts';
import type { TaggedGrammar } from './tagged-form.ts';
import type { ValuePlace } from './value-end.ts';

/** The closer of the next parameter's value is looked for this far; longer values are files and scripts. */
const nearby = 256;

/** The parameters that a value in front of them may have swallowed. */
export interface Awaited {
  /** Is this a declared parameter that has not come yet? */
  awaits(name: string): boolean;
  /** Does the schema require this parameter? */
  requires(name: string): boolean;
  /** Its opener stands in a value, where it has more than one reading. */
  suspect(name: string): void;
}

/**
 * Shows what stands at `index`, inside a value, that the value was not closed? A parameter opens there that the call still
 * awaits, on a line of its own, directly behind a word or in markup that no prose holds, and its value has a closer at its place. A file about tool
 * calls holds such openers too: there other text follows the closer, and all of it is the value's. A long value is believed
 * only where the call needs it.
 */
export function opensNext(
  grammar: TaggedGrammar,
  awaited: Awaited,
  scanner: Scanner,
  { index, line, glued }: ValuePlace,
): Look {
  const header = parameterAt(grammar, scanner, index);
  if (typeof header === 'string') return header;
  if (header.selfClosing || !awaited.awaits(header.name)) return 'no';
  const stands =
    line || glued || grammar.form.nestedMark !== undefined || header.typed !== undefined || header.opensValue;
  const opensAgain = (next: number): Look => {
    const following = parameterAt(grammar, scanner, next);
    return typeof following === 'string' ? following : following.name === header.name ? 'yes' : 'no';
  };
  const written = { start: header.end, closer: grammar.closer(header.name), opensAgain };
  const value = stands ? lookValue(scanner, written) : 'no';
  const opens = value === 'long' ? (awaited.requires(header.name) ? 'yes' : 'no') : value;
  if (opens === 'no') awaited.suspect(header.name);
  return opens;
}

function parameterAt({ structure }: TaggedGrammar, scanner: Scanner, index: number): TagHeader | 'no' | 'more' {
  const found = structure.find(scanner.text, index, scanner.ended);
  if (found === 'more') return 'more';
  if (found === 'no' || found.value.kind !== 'parameter') return 'no';
  return found.value.header(scanner, index + found.length - found.value.spaces);
}

/** A parameter's value, from behind its opener on. */
interface Value {
  readonly start: number;
  readonly closer: Closer;
  /** Does the parameter itself open at this index? */
  readonly opensAgain: (index: number) => Look;
}

/**
 * Does a value stand here, with a closer that counts? The parameter itself does not follow there once more: then it was
 * only mentioned. `long`: nearby there is no closer at all.
 */
export function lookValue(scanner: Scanner, { start, closer, opensAgain }: Value): Look | 'long' {
  const { text } = scanner;
  let blank = true;
  for (let index = start; index < start + nearby; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    if (index >= text.length) return 'no';
    const code = text.charCodeAt(index);
    if (closer.starts.includes(code) && lookFor(scanner, index, closer.literals) !== 'no') {
      const end = closes(scanner, index, closer);
      if (typeof end === 'string') return end;
      const next = scanner.behindSpace(end);
      const again = typeof next === 'string' ? next : opensAgain(next);
      if (again === 'more') return 'more';
      return blank || again === 'yes' ? 'no' : 'yes';
    }
    blank &&= isSpace(code);
  }
  return 'long';
}
