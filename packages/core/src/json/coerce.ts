import type { WarningCode } from '../chat/warning.ts';
import { JsonMachine } from './json-machine.ts';
import { isJsonNumber, isWholeNumber, repairNumber } from './json-number.ts';
import { jsonWords } from './json-token.ts';
import type { Coerced } from './reader-options.ts';
import type { SchemaView } from './schema.ts';
import { listMember, ownMember } from './schema-document.ts';
import { isScalar, opensContainer, trimSpace } from './unmistakable.ts';

export type { Coerced } from './reader-options.ts';

/**
 * The text of a value that its markup gives no type, as XML dialects have it, as JSON text of a type that its schema
 * admits.
 *
 * - A string only: the exact text as a string, white space included.
 * - No string: trimmed and decoded; `null` is null for any type. Numbers keep their text; Python's `True` and `None` and slightly broken objects and
 *   arrays are repaired (`value-coerced`). What cannot be decoded stays the exact text as a string (`value-kept`).
 * - Strings and others, or nothing known: decoded only when nothing else can be meant, and never when `enum` lists the
 *   text. That is a list or an object which is JSON to the letter, or what `isScalar` says; all else is the exact text.
 *
 * Guesses nothing: what a value looks like matters only where its schema admits that type. Never throws.
 */
export function coerceText(text: string, schema: SchemaView): Coerced {
  if (schema.onlyString) return { json: JSON.stringify(text) };
  if (schema.admits('string')) return unmistakable(text, schema) ?? { json: JSON.stringify(text) };
  const trimmed = text.trim();
  const found = decode(trimmed, schema) ?? unwrap(trimmed, schema) ?? unwrapInside(trimmed, schema);
  if (found === undefined) return { json: JSON.stringify(text), warning: 'value-kept' };
  // More than white space went: a byte order mark, a no-break space.
  return trimmed === trimSpace(text) ? found : { warning: 'value-coerced', ...found };
}

/** Whether `coerceText` gives this very text as a string, and has nothing to tell of it. */
export function staysText(text: string, schema: SchemaView): boolean {
  if (schema.onlyString) return true;
  return schema.admits('string') && unmistakable(text, schema) === undefined;
}

/**
 * As `coerceText`, for text that its markup calls JSON: decoded also where the schema says nothing or admits a string.
 * What is no JSON, or JSON of another type where only a string may stand, stays the exact text as a string (`value-kept`);
 * null stays null.
 */
export function coerceJson(text: string, schema: SchemaView): Coerced {
  const trimmed = trimSpace(text);
  const read = readJson(trimmed, schema);
  const isNull = read?.json === 'null';
  const isKept = read === undefined || (schema.onlyString && !read.json.startsWith('"') && !isNull);
  return isKept ? { warning: 'value-kept', ...coerceText(text, schema) } : told(trimmed, read);
}

/** As `coerceText`, for the text of a JSON string: the one level of wrapping is gone, and a second one stays. */
export function coerceString(text: string, schema: SchemaView): Coerced {
  return decode(text.trim(), schema) ?? { json: JSON.stringify(text), warning: 'value-kept' };
}

/** What the text is where it can only be meant as something other than a string. */
function unmistakable(text: string, schema: SchemaView): Coerced | undefined {
  if (lists(schema, text)) return undefined;
  if (isScalar(text, schema)) return { json: text };
  const trimmed = trimSpace(text);
  const read = opensContainer(trimmed.charAt(0), schema) ? readJson(trimmed, schema) : undefined;
  return read === undefined || read.codes.has('json-repaired') ? undefined : told(trimmed, read);
}

/** Is this text one that `enum` or `const` allow? */
function lists(schema: SchemaView, text: string): boolean {
  return schema.nodes.some((node) => ownMember(node, 'const') === text || listMember(node, 'enum').includes(text));
}

function admitsNumber(text: string, schema: SchemaView): boolean {
  return schema.admits('number') && (!schema.wholeNumbersOnly || isWholeNumber(text));
}

function decode(text: string, schema: SchemaView): Coerced | undefined {
  const word = decodeWord(text, schema);
  if (word !== undefined) return word;
  if (schema.admits('number')) {
    const number = isJsonNumber(text) ? text : repairNumber(text);
    if (number !== undefined && admitsNumber(number, schema)) return repaired(text, number);
  }
  const read = opensContainer(text.charAt(0), schema) ? readJson(text, schema) : undefined;
  return read && told(text, read);
}

function decodeWord(text: string, schema: SchemaView): Coerced | undefined {
  const json = jsonWords.get(text);
  if (json === undefined || (json !== 'null' && !schema.admits('boolean'))) return undefined;
  return repaired(text, json);
}

/** A value that was written as a JSON string although no string may be here. */
function unwrap(text: string, schema: SchemaView): Coerced | undefined {
  if (!text.startsWith('"')) return undefined;
  const read = readJson(text, schema);
  return read === undefined || read.codes.has('value-kept') ? undefined : { json: read.json, warning: 'value-coerced' };
}

/** A list or an object whose quotation marks are escaped as in a string, without the string around it. */
function unwrapInside(text: string, schema: SchemaView): Coerced | undefined {
  if (!opensContainer(text.charAt(0), schema) || !text.includes('\\"')) return undefined;
  const inside = unwrap(`"${text}"`, schema);
  return inside?.json.startsWith(text.charAt(0)) ? inside : undefined;
}

function repaired(text: string, json: string): Coerced {
  return json === text ? { json } : { json, warning: 'value-coerced' };
}

/** What was read, with what is to be told of it. */
function told(text: string, { json, codes }: Read): Coerced {
  if (codes.has('value-kept')) return { json, warning: 'value-kept' };
  return codes.has('parameter-repeated') ? { json, warning: 'parameter-repeated' } : repaired(text, json);
}

interface Read {
  readonly json: string;
  /** What there was to tell: `json-repaired` of what was not quite JSON, `value-kept` of a value that does not fit its schema. */
  readonly codes: ReadonlySet<WarningCode>;
}

/** Reads `text` as one JSON value and nothing else; undefined when it is not one. */
function readJson(text: string, schema: SchemaView): Read | undefined {
  let json = '';
  const codes = new Set<WarningCode>();
  const machine = new JsonMachine({
    schema,
    emit: (piece) => {
      json += piece;
    },
    warning: (code) => codes.add(code),
    coerce: coerceString,
  });
  const end = machine.read(text, 0);
  machine.end(); // only the end of the text completes a number
  return machine.state === 'done' && end === text.length ? { json, codes } : undefined;
}
