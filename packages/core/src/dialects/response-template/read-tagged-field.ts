import { attributeOpener } from '../table/attribute-opener.ts';
import type { ParameterTable, TagsTable } from '../table.ts';
import { type Fields, fieldsOf } from './call-shape.ts';
import { joined } from './delimiter.ts';
import { type PatternPiece, readPattern } from './pattern.ts';
import type { CallField, NamedOpener } from './read-call-field.ts';
import type { TemplateNotes } from './template-notes.ts';

/** Reads a field whose content is `xml-inline`: the name in the opener, the arguments as tags. */
export function readTaggedField(
  field: Fields,
  { opener: { front, behind }, closer }: { readonly opener: NamedOpener; readonly closer: string },
  notes: TemplateNotes,
): CallField | undefined {
  const parameter = readParameter(fieldsOf(field.content_args).tag_pattern, notes.at('content_args'));
  if (parameter === undefined) return undefined;
  const opener = front.at(-1) ?? '';
  const call: TagsTable = {
    form: 'tags',
    opener,
    // Parameters stand on lines of their own, as in all templates that we know.
    end: `${joined(behind)}\n`,
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
