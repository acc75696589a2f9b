import { attributeOpener } from '../table/literals.ts';
import type { AroundTable, CallTable, HeaderTable, ParameterTable, TagsTable } from '../table.ts';
import {
  type Delimiter,
  fieldsOf,
  joined,
  literalsIn,
  readCallShape,
  readDelimiter,
  type TemplateNotes,
  textsOf,
  type UncheckedFields,
} from './call-shape.ts';
import { type PatternPiece, readPattern } from './pattern.ts';

/** What the field of the calls says: the form with its literals, and what is around calls. */
interface CallField {
  readonly call: CallTable;
  readonly section?: AroundTable;
}

/** An opener with a name in it: what comes before the name, and what after. */
interface NamedOpener {
  /** The literals in front; the last one opens the call, others are around it. */
  readonly front: readonly string[];
  readonly group: string;
  readonly after: readonly PatternPiece[];
}

/** Reads the field `tool_calls` of a response template. What no form can read is reported, with what to write instead. */
export function readCallField(field: UncheckedFields, notes: TemplateNotes): CallField | undefined {
  const open = readDelimiter(field, 'open', notes);
  const close = textsOf(readDelimiter(field, 'close', notes));
  const [pieces] = open;
  if (pieces === undefined) {
    if (field.open === undefined && field.open_pattern === undefined) {
      notes.problem(['open'], 'is missing; without it nothing tells a call from text');
    }
    return undefined;
  }
  reportOthers(open, close, notes);
  const groups = pieces.flatMap((piece) => (piece.kind === 'group' ? [piece.name] : []));
  const shape = readCallShape(field.transform, groups, notes);
  if (shape === undefined) return undefined;
  const closer = close[0] ?? '';
  const content = field.content ?? 'text';
  if (content !== 'json' && content !== 'xml-inline') {
    notes.problem(
      ['content'],
      `${JSON.stringify(content)} is none that calls can be read by; write "json" or "xml-inline"`,
    );
    return undefined;
  }
  if (shape.from === 'keys') {
    if (content === 'json') return jsonField(field, { front: literalsIn(pieces), closer, shape });
    notes.problem(['transform'], 'must take the name from a group of "open_pattern" where the content is "xml-inline"');
    return undefined;
  }
  const opener = namedOpener(pieces, shape.name);
  if (opener === undefined) {
    notes.problem(['open_pattern'], `must hold a literal before the group "${shape.name}"`);
    return undefined;
  }
  if (content === 'xml-inline') return readTaggedField(field, { opener, closer }, notes);
  return headedField(field, { opener, closer }, notes);
}

/** A table has one opener and one closer for a call; what else a template knows is reported. */
function reportOthers(open: Delimiter, close: readonly string[], notes: TemplateNotes): void {
  const others = [...textsOf(open.slice(1)), ...close.slice(1)];
  if (others.length > 0)
    notes.note(`not read beside the first: ${others.map((text) => JSON.stringify(text)).join(', ')}`);
}

interface JsonShape {
  /** The literals of the opener; the last one opens the call. */
  readonly front: readonly string[];
  readonly closer: string;
  readonly shape: { readonly name: string; readonly arguments: string };
}

function jsonField(field: UncheckedFields, { front, closer, shape: { name, arguments: given } }: JsonShape): CallField {
  const plain = name === 'name' && given === 'arguments';
  return {
    call: {
      form: 'json',
      opener: front.at(-1) ?? '',
      closer,
      ...(field.transform_each === true ? { grouping: 'list' } : {}),
      ...(plain ? {} : { keys: { name, arguments: given } }),
    },
    ...sectionOf(front),
  };
}

/** What comes before the opener, with white space between. */
function sectionOf(front: readonly string[]): Pick<CallField, 'section'> {
  return front.length > 1 ? { section: { opener: front.slice(0, -1).join('\n'), closer: '' } } : {};
}

function namedOpener(pieces: readonly PatternPiece[], group: string): NamedOpener | undefined {
  const at = pieces.findIndex((piece) => piece.kind === 'group' && piece.name === group);
  const front = literalsIn(pieces.slice(0, at));
  return front.length === 0 ? undefined : { front, group, after: pieces.slice(at + 1) };
}

/** Before the names of Gemma's calls. */
const gemmaPrefix = 'call:';

function headedField(
  field: UncheckedFields,
  { opener: { front, after }, closer }: { readonly opener: NamedOpener; readonly closer: string },
  notes: TemplateNotes,
): CallField | undefined {
  const opener = front.at(-1) ?? '';
  if (front.some((literal) => literal.includes('{'))) {
    notes.problem(
      ['open_pattern'],
      'reads the JSON of a call itself; open with what comes before its brace, content "json" and the transform "{content}", or use the dialect "llama3-json" for calls without a marker',
    );
    return undefined;
  }
  const quote = stringToken(field);
  if (quote !== undefined && opener.endsWith(gemmaPrefix)) {
    const marker = opener.slice(0, -gemmaPrefix.length);
    return { call: { form: 'gemma', opener: marker, closer, quote, between: '' }, ...sectionOf(front) };
  }
  if (quote !== undefined) {
    notes.problem(['content_args', 'string_delims'], `are read only after a name with "${gemmaPrefix}" before it`);
    return undefined;
  }
  if (separates(after)) return { call: { form: 'header', opener, closer, ...headerOf(after) }, ...sectionOf(front) };
  notes.problem(
    ['open_pattern'],
    'holds white space between two literals after the name, as the headers of channels do, which no table can say; the dialect "harmony" reads channels',
  );
  return undefined;
}

/** White space is only at the edges: a separator is one literal. */
function separates(after: readonly PatternPiece[]): boolean {
  return !after.some(
    ({ kind }, index) =>
      kind === 'space' && after[index - 1]?.kind === 'literal' && after[index + 1]?.kind === 'literal',
  );
}

/** What comes after the name: an id with its marker, and the separator. */
function headerOf(after: readonly PatternPiece[]): Pick<HeaderTable, 'header' | 'separator'> {
  const at = after.findIndex((piece) => piece.kind === 'group');
  if (at < 0) return { separator: joined(after) };
  return { header: `{name}${joined(after.slice(0, at))}{id}`, separator: joined(after.slice(at + 1)) };
}

/** The token on both sides of strings, where it is none of JSON's or Python's quotation marks. */
function stringToken(field: UncheckedFields): string | undefined {
  const { string_delims: pairs } = fieldsOf(field.content_args);
  const [first]: readonly unknown[] = Array.isArray(pairs) ? pairs : [];
  const [open, close]: readonly unknown[] = Array.isArray(first) ? first : [];
  return typeof open === 'string' && open === close && open !== '"' && open !== "'" ? open : undefined;
}

/** Reads a field whose content is `xml-inline`: the name in the opener, the arguments as tags. */
function readTaggedField(
  field: UncheckedFields,
  { opener: { front, after }, closer }: { readonly opener: NamedOpener; readonly closer: string },
  notes: TemplateNotes,
): CallField | undefined {
  const parameter = readParameter(fieldsOf(field.content_args).tag_pattern, notes.at('content_args'));
  if (parameter === undefined) return undefined;
  const opener = front.at(-1) ?? '';
  const call: TagsTable = {
    form: 'tags',
    opener,
    // Parameters stand on lines of their own, as in all templates that we know.
    end: `${joined(after)}\n`,
    closer: closer === '' ? closerOf(opener) : closer,
    parameter,
  };
  if (front.length === 1) return { call };
  // The pattern names only the outer tag's closer; the inner one is what markup of this form has.
  const inner = closerOf(opener);
  notes.note(`the template does not say what closes ${JSON.stringify(opener)}; ${JSON.stringify(inner)} is assumed`);
  const block = { opener: `${front.slice(0, -1).join('\n')}\n`, closer: `\n${closer}` };
  return { call: { ...call, block, closer: inner, closerOptional: true } };
}

/** `</function>` of `<function=`, `</invoke>` of `<invoke name="`. */
function closerOf(opener: string): string {
  const tag = (attributeOpener(opener)?.tag ?? opener).trim();
  const name = tag.endsWith('=') || tag.endsWith('>') ? tag.slice(1, -1) : tag.slice(1);
  return `</${name}>`;
}

const asked = 'must be a literal, (?P<key>…), a literal, (?P<value>…) and a literal';

function readParameter(pattern: unknown, notes: TemplateNotes): ParameterTable | undefined {
  if (typeof pattern !== 'string') {
    notes.problem(['tag_pattern'], `is missing; it ${asked}`);
    return undefined;
  }
  const read = readPattern(pattern);
  if (typeof read === 'string') {
    notes.problem(['tag_pattern'], `${read}; it ${asked}`);
    return undefined;
  }
  const [pieces = []] = read.alternatives;
  const key = groupAt(pieces, 'key');
  const value = groupAt(pieces, 'value');
  const [opener, between, closer] = [pieces.slice(0, key), pieces.slice(key + 1, value), pieces.slice(value + 1)];
  const texts = [opener, between, closer].map((part) => joined(part));
  if (read.alternatives.length !== 1 || key < 0 || value < key || texts.some((text) => text.trim() === '')) {
    notes.problem(['tag_pattern'], `${asked}; calls in Python are read by a "table" with the form "python"`);
    return undefined;
  }
  return parameterOf({ opener: texts[0] ?? '', between, closer: texts[2] ?? '' }, trims(pieces, value));
}

/** White space on both sides of the value is the markup's. */
function trims(pieces: readonly PatternPiece[], value: number): boolean {
  return pieces[value - 1]?.kind === 'space' && pieces[value + 1]?.kind === 'space';
}

function parameterOf(
  {
    opener,
    between,
    closer,
  }: { readonly opener: string; readonly between: readonly PatternPiece[]; readonly closer: string },
  padded: boolean,
): ParameterTable {
  const literals = between.flatMap((piece) => (piece.kind === 'literal' ? [piece.text] : []));
  const split = literals.length > 1 ? [literals[0] ?? '', literals.slice(1).join('')] : splitTags(literals.join(''));
  const [end = '', value] = split;
  const pad = padded ? '\n' : '';
  const back = `${pad}${closer}\n`;
  if (value === undefined) return { opener, end: end + pad, closer: back };
  return { opener, end: literals.length > 1 ? `${end}\n` : end, value: value + pad, closer: back };
}

/** `</arg_key><arg_value>` is the end of the key and the opener of the value. */
function splitTags(text: string): readonly string[] {
  const at = text.indexOf('><');
  return at < 0 ? [text] : [text.slice(0, at + 1), text.slice(at + 1)];
}

function groupAt(pieces: readonly PatternPiece[], name: string): number {
  return pieces.findIndex((piece) => piece.kind === 'group' && piece.name === name);
}
