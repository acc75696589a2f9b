import type { Scanner } from './scanner.ts';

/** A tag's header behind its name. */
export interface TagHeader {
  /** Index behind `>`. */
  readonly end: number;
  /** The value of the `name` attribute, as written; other attributes are passed over. */
  readonly name: string;
  readonly selfClosing: boolean;
}

/** A header longer than this is prose. */
const longestHeader = 1024;

/** Reads ` name="…" …>` or ` name="…" …/>` from `index` on. */
export function readTagHeader(scanner: Scanner, index: number): TagHeader | 'no' | 'more' {
  const { text } = scanner;
  const limit = index + longestHeader;
  let name: string | undefined;
  let at = index;
  while (true) {
    const next = scanner.skipSpace(at);
    if (next > limit) return 'no';
    if (scanner.wantsMore(next)) return 'more';
    const code = text.charCodeAt(next);
    if (code === 62) return name === undefined ? 'no' : { end: next + 1, name, selfClosing: false };
    if (code === 47) {
      if (scanner.wantsMore(next + 1)) return 'more';
      if (name === undefined || text.charCodeAt(next + 1) !== 62) return 'no';
      return { end: next + 2, name, selfClosing: true };
    }
    if (next === at) return 'no'; // an attribute needs white space in front
    const attribute = readAttribute(scanner, next, limit);
    if (typeof attribute === 'string') return attribute;
    if (attribute.key === 'name' && name === undefined) name = attribute.value;
    at = attribute.end;
  }
}

interface Attribute {
  readonly key: string;
  readonly value: string;
  readonly end: number;
}

function readAttribute(scanner: Scanner, index: number, limit: number): Attribute | 'no' | 'more' {
  const { text } = scanner;
  let end = index;
  while (end < text.length && end <= limit && isNameCharacter(text.charCodeAt(end))) end += 1;
  if (end > limit || (end === index && end < text.length)) return 'no';
  const equals = scanner.skipSpace(end);
  if (scanner.wantsMore(equals)) return 'more';
  if (text[equals] !== '=') return 'no';
  const start = scanner.skipSpace(equals + 1);
  if (scanner.wantsMore(start)) return 'more';
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return 'no';
  const close = text.indexOf(quote, start + 1);
  if (close < 0) return scanner.ended || text.length > limit ? 'no' : 'more';
  if (close > limit) return 'no';
  return { key: text.slice(index, end), value: text.slice(start + 1, close), end: close + 1 };
}

/** Letters, digits and `_ : . -`: what attribute names are made of. */
function isNameCharacter(code: number): boolean {
  if (code === 95 || code === 58 || code === 46 || code === 45) return true;
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
