import { isSpace, skipSpace } from './json-characters.ts';
import type { NumberState } from './json-number.ts';
import { isJsonNumber, isWholeNumber, numberMayEnd, numberStep } from './json-number.ts';
import type { SchemaView } from './schema.ts';

/** Numbers with more digits may lose some in a client's doubles; where a string may stand too, they stay text. */
const longestNumber = 15;

/**
 * Is this text, where a string may stand too, nothing but a word of JSON or a number? Words are exactly `null`, `true` and
 * `false`. A number has no exponent (`1e3` may be part of a hash) and no more digits than a double keeps, and the schema
 * names numbers: where it says nothing, digits may just as well be an id, a version or a postal code.
 */
export function isScalar(text: string, schema: SchemaView): boolean {
  if (wordsOf(schema).includes(text)) return true;
  return text.length <= longestNumber && namesNumbers(schema) && isPlainNumber(text, schema);
}

/** May the text become such a scalar when more comes? */
export function beginsScalar(text: string, schema: SchemaView): boolean {
  if (wordsOf(schema).some((word) => word.startsWith(text))) return true;
  return text.length <= longestNumber && namesNumbers(schema) && beginsNumber(text);
}

/** Is the first character of a list or an object here, of which the schema admits one? */
export function opensContainer(character: string, schema: SchemaView): boolean {
  return (character === '{' && schema.admits('object')) || (character === '[' && schema.admits('array'));
}

/** Without the white space that JSON allows around a value. */
export function trimSpace(text: string): string {
  const start = skipSpace(text, 0);
  let end = text.length;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** `null` says that nothing is meant, also where the schema has no word for that. */
function wordsOf(schema: SchemaView): readonly string[] {
  return schema.admits('boolean') ? ['null', 'true', 'false'] : ['null'];
}

function namesNumbers(schema: SchemaView): boolean {
  return schema.admits('number') && !schema.untyped;
}

function isPlainNumber(text: string, schema: SchemaView): boolean {
  if (!isJsonNumber(text) || text.includes('e') || text.includes('E')) return false;
  return !schema.wholeNumbersOnly || isWholeNumber(text);
}

function beginsNumber(text: string): boolean {
  let state: NumberState = 'start';
  for (let index = 0; index < text.length; index += 1) state = numberStep(state, text.charCodeAt(index));
  return state === 'minus' || state === 'point' || numberMayEnd(state);
}
