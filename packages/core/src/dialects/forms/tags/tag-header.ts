import { isPlainCharacter } from '../../../json/json-characters.ts';
import { type Repair, repairs } from '../../parser/call-warnings.ts';
import { nameEnders } from '../../parser/calls/tool-table.ts';
import { CharacterSet, longestGap, lookFor, type Scanner } from '../../parser/scanner.ts';

/** The header of a call or a parameter, after its opener's literal. */
export interface TagHeader {
  /** Index after it. */
  readonly end: number;
  readonly name: string;
  /** It was written as `<tag …/>`: nothing is inside. */
  readonly selfClosing: boolean;
  /** What the markup itself says of the value: it is text, or JSON. Without it the schema says. */
  readonly typed?: 'text' | 'json';
  /** White space of the line stands on both sides of the name, as around the words of a sentence between two tags. */
  readonly inWords?: boolean;
  /** A marker of its own has opened the value: no prose that names a parameter goes on with one. */
  readonly opensValue?: boolean;
  /** What is wrong with it. */
  readonly repair?: Repair;
}

/**
 * Reads a header from `index` on. Looks at a bounded number of characters. `names` says what it names: a tool, of which no
 * name is read further than it can go, or else a parameter.
 */
export type HeaderReader = (scanner: Scanner, index: number, names?: 'tool') => TagHeader | 'no' | 'more';

/** A header longer than this is prose. */
const longestHeader = 1024;
/** A name without quotation marks is no longer. */
const longestName = 192;

/** What the attributes of a header are called, and what ends it. */
export interface AttributeForm {
  /** The attribute with the name. Default `name`. */
  readonly name?: string;
  /** The name where that attribute is absent. Default: then it is no header. */
  readonly unnamed?: string;
  /** What ends the header. Default `>`; only then `/>` closes the tag at once. */
  readonly end?: string;
  /** What an attribute says of the value. */
  readonly typed?: (key: string, value: string) => 'text' | 'json' | undefined;
  /** Reads the text of an attribute's value. Default: as written. */
  readonly decode?: (text: string) => string;
  /** May come after the end, after white space, and belongs to the header. */
  readonly after?: readonly string[];
}

/** Headers of attributes: ` name="…" …>` or ` name="…" …/>`. Unknown attributes are passed over. */
export function attributes(form: AttributeForm = {}): HeaderReader {
  const { name: nameKey = 'name', unnamed, end: close = '>', typed: typeOf, decode, after = [] } = form;
  return (scanner, index) => {
    const limit = index + longestHeader;
    let name: string | undefined;
    let typed: 'text' | 'json' | undefined;
    let at = index;
    while (true) {
      const next = scanner.skipSpace(at);
      if (next > limit) return 'no';
      if (scanner.wantsMore(next)) return 'more';
      const end = lookFor(scanner, next, [close, `/${close}`]);
      if (end === 'more') return 'more';
      if (end !== 'no') {
        const selfClosing = end - next > close.length;
        const known = name ?? unnamed;
        if (known === undefined) return 'no';
        const headerEnd = selfClosing ? end : lookBehind(scanner, end, after);
        return headerEnd === 'more' ? 'more' : { end: headerEnd, name: known, selfClosing, ...(typed && { typed }) };
      }
      if (next === at) return 'no'; // an attribute needs white space in front
      const attribute = readAttribute(scanner, next, limit);
      if (typeof attribute === 'string') return attribute;
      const value = decode?.(attribute.value) ?? attribute.value;
      if (attribute.key === nameKey) name ??= value;
      typed ??= typeOf?.(attribute.key, value);
      at = attribute.end;
    }
  };
}

/** The header ` name="…">` of most tags. */
export const nameAttribute: HeaderReader = attributes();

/** What ends a header that is a bare name. */
export interface BareForm {
  /** Ends the name, and belongs to the header. */
  readonly ends?: readonly string[];
  /** Ends the name, and stays. */
  readonly before?: readonly string[];
  /** What is wrong where one of `before` ends the name. Default: nothing. */
  readonly endMissing?: Repair;
  /**
   * Opens the value after `ends`, after white space, and belongs to the header. It may be missing, which is reported. In `before`, too,
   * it also ends a name whose own end is missing.
   */
  readonly after?: readonly string[];
  /** One of `behind` has to be there. Default false. */
  readonly afterNeeded?: boolean;
}

/** No header at all: the opener's literal has said the name. */
export function impliedName(name: string): HeaderReader {
  return (_scanner, index) => ({ end: index, name, selfClosing: false });
}

/** Headers that are a bare name: `N>` of `<function=N>`, or `K</arg_key><arg_value>`. White space at its edges is none of it. */
export function bareName(form: BareForm): HeaderReader {
  const { ends = [], before = [], after = [], afterNeeded = false, endMissing } = form;
  const stops = new CharacterSet([...nameEnders, ...[...ends, ...before].map((literal) => literal.charCodeAt(0))]);
  return (scanner, index, names) => {
    const { text } = scanner;
    const start = scanner.skipSpace(index);
    if (start - index > longestGap) return 'no';
    const limit = Math.min(start + longestName + 1, text.length);
    for (let at = stops.find(text, start, limit); at - start <= longestName; at = stops.find(text, at + 1, limit)) {
      if (scanner.wantsMore(at)) return 'more';
      if (at >= text.length) return 'no';
      const end = lookFor(scanner, at, ends);
      const stop = end === 'no' ? lookFor(scanner, at, before) : end;
      if (stop === 'more') return 'more';
      if (stop === 'no' && names === 'tool' && nameEnders.includes(text.charCodeAt(at))) return 'no';
      if (stop === 'no') continue;
      const selfClosing = text.charAt(at - 1) === '/' && text.charAt(at) === '>';
      const name = unquoted(text.slice(start, selfClosing ? at - 1 : at).trim());
      if (name === '' || name.startsWith('/') || name.includes('\n')) return 'no';
      const nameEnd = end === 'no' ? at : stop;
      const headerEnd = lookBehind(scanner, nameEnd, after);
      if (afterNeeded && headerEnd === nameEnd) return 'no';
      if (headerEnd === 'more') return 'more';
      const inWords = isBlank(text, start - 1) && isBlank(text, at - 1);
      const opensValue = headerEnd > nameEnd;
      const unopened = after.length > 0 && !opensValue ? repairs.valueOpener : undefined;
      // The line break before the opener that is missing is none of the value.
      const breaks = unopened !== undefined && text.charAt(headerEnd) === '\n';
      const found = { end: breaks ? headerEnd + 1 : headerEnd, name, selfClosing, inWords };
      const repair = end === 'no' ? endMissing : unopened;
      return { ...found, ...(opensValue && { opensValue }), ...(repair !== undefined && { repair }) };
    }
    return 'no';
  };
}

/** Headers `K</arg_key><arg_value>`: a key, and the opener of its value. One of the two markers may be missing, which is reported. */
export function pairKey({
  closers,
  valueOpeners,
}: {
  readonly closers: readonly string[];
  readonly valueOpeners: readonly string[];
}): HeaderReader {
  return bareName({ ends: closers, before: valueOpeners, after: valueOpeners, endMissing: repairs.keyCloser });
}

function isBlank(text: string, index: number): boolean {
  return text[index] === ' ' || text[index] === '\t';
}

/** A bare name is written without quotation marks; some models and renderers put them there anyway. */
function unquoted(name: string): string {
  const quote = name.charAt(0);
  const stands = name.length > 2 && (quote === '"' || quote === "'") && name.endsWith(quote);
  return stands ? name.slice(1, -1) : name;
}

/** Index after one of these literals after white space, or `index` itself where none stands. */
function lookBehind(scanner: Scanner, index: number, literals: readonly string[]): number | 'more' {
  if (literals.length === 0) return index;
  const next = scanner.skipSpace(index);
  if (next - index > longestGap) return index;
  if (scanner.wantsMore(next)) return 'more';
  const end = lookFor(scanner, next, literals);
  return end === 'no' ? index : end;
}

/** The header that fits first, of several ways to write it. */
export function eitherHeader(...readers: readonly HeaderReader[]): HeaderReader {
  return (scanner, index, names) => {
    for (const read of readers) {
      const header = read(scanner, index, names);
      if (header !== 'no') return header;
    }
    return 'no';
  };
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
  if (equals > limit) return 'no';
  if (scanner.wantsMore(equals)) return 'more';
  if (text[equals] !== '=') return 'no';
  const start = scanner.skipSpace(equals + 1);
  if (start > limit) return 'no';
  if (scanner.wantsMore(start)) return 'more';
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return readUnquoted(scanner, { key: text.slice(index, end), start, limit });
  const close = text.indexOf(quote, start + 1);
  if (close < 0) return scanner.ended || text.length > limit ? 'no' : 'more';
  if (close > limit) return 'no';
  return { key: text.slice(index, end), value: text.slice(start + 1, close), end: close + 1 };
}

/** A value without quotation marks is a single word, as in HTML. */
function readUnquoted(
  scanner: Scanner,
  { key, start, limit }: { readonly key: string; readonly start: number; readonly limit: number },
): Attribute | 'no' | 'more' {
  const { text } = scanner;
  let end = start;
  while (end < text.length && end <= limit && isNameCharacter(text.charCodeAt(end))) end += 1;
  if (end > limit) return 'no';
  if (scanner.wantsMore(end)) return 'more';
  return end === start ? 'no' : { key, value: text.slice(start, end), end };
}

/** Letters, digits and `_ : . -`: what names and values of attributes are made of without quotation marks. */
function isNameCharacter(code: number): boolean {
  return isPlainCharacter(code) || code === 58 || code === 46;
}
