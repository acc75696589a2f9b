import { escapeJson } from './json-escape.ts';
import { type Coerced, JsonMachine } from './json-machine.ts';
import { isJsonNumber, isWholeNumber, mendNumber } from './json-number.ts';
import type { SchemaView } from './schema.ts';

export type { Coerced } from './json-machine.ts';

/** Numbers with more digits may lose some in a client's doubles; where a string may stand too, they stay text. */
const safeDigits = 15;

/**
 * The text of an untyped value, as XML dialects have it, as JSON text of a type that its schema admits.
 *
 * - A string only, or nothing known: the exact text as a string, white space included.
 * - No string: trimmed and decoded. Numbers keep their text; Python's `True` and `None` and slightly broken objects and
 *   arrays are mended (`value-coerced`). What cannot be decoded stays the exact text as a string (`value-kept`).
 * - Strings and others: decoded only when nothing else can be meant, and never when `enum` lists the text.
 *
 * Guesses nothing: what a value looks like matters only where its schema admits that type. Never throws.
 */
export function coerceText(text: string, schema: SchemaView): Coerced {
  if (schema.onlyString || schema.untyped) return { json: quoted(text) };
  if (schema.admits('string')) return { json: unmistakable(text, schema) ?? quoted(text) };
  const trimmed = text.trim();
  return decode(trimmed, schema) ?? unwrap(trimmed, schema) ?? { json: quoted(text), issue: 'value-kept' };
}

/**
 * As `coerceText`, for text that its markup calls JSON: decoded also where the schema says nothing or admits a string.
 * What is no JSON, or JSON of another type where only a string may stand, stays the exact text as a string.
 */
export function coerceJson(text: string, schema: SchemaView): Coerced {
  const read = readJson(text.trim(), schema);
  if (read === undefined || (schema.onlyString && !read.json.startsWith('"'))) return coerceText(text, schema);
  return read.kept ? { json: read.json, issue: 'value-kept' } : mended(text.trim(), read.json);
}

/** As `coerceText`, for the text of a JSON string: the one level of wrapping is gone, and a second one stays. */
export function coerceString(text: string, schema: SchemaView): Coerced {
  return decode(text.trim(), schema) ?? { json: quoted(text), issue: 'value-kept' };
}

function quoted(text: string): string {
  return `"${escapeJson(text)}"`;
}

/** JSON text where `text` can only be meant as something other than a string. */
function unmistakable(text: string, schema: SchemaView): string | undefined {
  if (schema.enumTexts.has(text)) return undefined;
  if (text === 'null') return schema.admits('null') ? text : undefined;
  if (text === 'true' || text === 'false') return schema.admits('boolean') ? text : undefined;
  if (isJsonNumber(text)) return isPlainNumber(text) && admitsNumber(text, schema) ? text : undefined;
  const trimmed = text.trim();
  if (!startsContainer(trimmed, schema)) return undefined;
  const read = readJson(trimmed, schema);
  return read === undefined || read.repaired ? undefined : read.json;
}

/** No exponent (`1e3` may be part of a hash) and no more digits than a double keeps. */
function isPlainNumber(text: string): boolean {
  return text.length <= safeDigits && !text.includes('e') && !text.includes('E');
}

function admitsNumber(text: string, schema: SchemaView): boolean {
  return schema.admits('number') && (!schema.wholeNumbersOnly || isWholeNumber(text));
}

function startsContainer(text: string, schema: SchemaView): boolean {
  return (text.startsWith('{') && schema.admits('object')) || (text.startsWith('[') && schema.admits('array'));
}

function decode(text: string, schema: SchemaView): Coerced | undefined {
  const word = decodeWord(text, schema);
  if (word !== undefined) return word;
  if (schema.admits('number')) {
    const number = isJsonNumber(text) ? text : mendNumber(text);
    if (number !== undefined && admitsNumber(number, schema)) return mended(text, number);
  }
  if (!startsContainer(text, schema)) return undefined;
  const read = readJson(text, schema);
  if (read === undefined) return undefined;
  return read.kept ? { json: read.json, issue: 'value-kept' } : mended(text, read.json);
}

function decodeWord(text: string, schema: SchemaView): Coerced | undefined {
  switch (text) {
    case 'true':
    case 'false':
      return schema.admits('boolean') ? { json: text } : undefined;
    case 'True':
    case 'False':
      return schema.admits('boolean') ? mended(text, text === 'True' ? 'true' : 'false') : undefined;
    case 'null':
    case 'None':
      return schema.admits('null') ? mended(text, 'null') : undefined;
    default:
      return undefined;
  }
}

/** A value that was written as a JSON string although no string may stand here. */
function unwrap(text: string, schema: SchemaView): Coerced | undefined {
  if (!text.startsWith('"')) return undefined;
  const read = readJson(text, schema);
  return read === undefined || read.kept ? undefined : { json: read.json, issue: 'value-coerced' };
}

function mended(text: string, json: string): Coerced {
  return json === text ? { json } : { json, issue: 'value-coerced' };
}

interface Read {
  readonly json: string;
  /** Whether it was not quite JSON. */
  readonly repaired: boolean;
  /** Whether a value in it does not fit its schema. */
  readonly kept: boolean;
}

/** Reads `text` as one JSON value and nothing else; undefined when it is not one. */
function readJson(text: string, schema: SchemaView): Read | undefined {
  let json = '';
  const codes = new Set<string>();
  const machine = new JsonMachine({
    schema,
    emit: (piece) => {
      json += piece;
    },
    issue: (code) => codes.add(code),
    coerce: coerceString,
  });
  const end = machine.read(text, 0);
  machine.end(); // only the end of the text completes a number
  if (machine.state !== 'done' || end < text.length) return undefined;
  return { json, repaired: codes.has('json-repaired'), kept: codes.has('value-kept') };
}
