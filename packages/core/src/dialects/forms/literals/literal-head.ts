import type { Mend } from '../../parser/call-warnings.ts';
import type { Look, Scanner } from '../../parser/scanner.ts';
import type { LiteralSyntax } from './literal-syntax.ts';

/** The beginning of a call: `name(`. */
export interface CallHead {
  readonly name: string;
  /** The bracket that will close the arguments. */
  readonly close: string;
  /** Index behind the bracket that opens the arguments. */
  readonly end: number;
  /** What is wrong with it. */
  readonly mend?: Mend | undefined;
}

/** A name longer than this is none. */
export const longestName = 192;

/** Reads a name and the bracket behind it, from the first character that is not white space. Consumes nothing. */
export function readCallHead(
  scanner: Scanner,
  index: number,
  { prefix, prefixMissing, suffix, brackets }: LiteralSyntax,
): CallHead | 'no' | 'more' {
  const first = scanner.behindSpace(index);
  if (typeof first === 'string') return first;
  const prefixed = prefix === '' ? 'no' : scanner.look(prefix, first);
  if (prefixed === 'more') return 'more';
  const start = prefixed === 'yes' ? first + prefix.length : first;
  const end = nameEnd(scanner, start, ':/');
  if (end === 'more' || end === 'no') return end;
  const bracket = scanner.behindSpace(end);
  if (typeof bracket === 'string') return bracket;
  const close = brackets.find(([open]) => open === scanner.text[bracket])?.[1];
  if (close === undefined) return 'no';
  const written = scanner.text.slice(start, end);
  if (!written.endsWith(suffix)) return 'no';
  return {
    name: written.slice(0, written.length - suffix.length),
    close,
    end: bracket + 1,
    mend: prefixed === 'yes' ? undefined : prefixMissing,
  };
}

/** Does what only arguments are stand here: a parameter with its sign, an unpacked dict, or nothing? */
export function opensArguments(scanner: Scanner, { end: index, close }: CallHead, { assign }: LiteralSyntax): Look {
  const first = scanner.behindSpace(index);
  if (typeof first === 'string') return first;
  if (scanner.text[first] === close) return isNoLink(scanner, first + 1);
  const unpacked = scanner.look('**', first);
  if (unpacked !== 'no') return unpacked;
  const end = nameEnd(scanner, first);
  if (typeof end === 'string') return end;
  const sign = scanner.behindSpace(end);
  if (typeof sign === 'string') return sign;
  if (!isSign(scanner, sign, assign)) return 'no';
  if (scanner.wantsMore(sign + 1)) return 'more';
  return scanner.text[sign + 1] === scanner.text[sign] ? 'no' : 'yes';
}

/** One of these signs stands at `index`. */
export function isSign(scanner: Scanner, index: number, signs: string): boolean {
  return index < scanner.text.length && signs.includes(scanner.text.charAt(index));
}

/** Not the text of a Markdown link: behind a call without arguments stands `](`, and so no list of calls. */
function isNoLink(scanner: Scanner, index: number): Look {
  const link = scanner.look('](', index);
  return link === 'more' ? 'more' : link === 'yes' ? 'no' : 'yes';
}

/** Index behind the name at `index`, which may hold these `signs`, too. */
export function nameEnd(scanner: Scanner, index: number, signs = ''): number | 'no' | 'more' {
  let end = index;
  const { text } = scanner;
  while (end < text.length && end - index <= longestName) {
    if (!isNameCharacter(text.charCodeAt(end)) && !signs.includes(text.charAt(end))) break;
    end += 1;
  }
  if (end - index > longestName) return 'no';
  if (scanner.wantsMore(end)) return 'more';
  return end === index ? 'no' : end;
}

/** Letters, digits and `_ . -`, and what is beyond ASCII. */
function isNameCharacter(code: number): boolean {
  if (code === 95 || code === 46 || code === 45 || code > 127) return true;
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
