import type { JsonSchema } from '@dragoman/core';
import { wordsOf } from './words.ts';

export interface ParameterList {
  readonly properties: Record<string, JsonSchema>;
  readonly required: string[];
}

interface Item {
  readonly indent: number;
  readonly name: string;
  readonly rest: string;
}

/** Reads a parameter list: an item `- name: (required) type – words` for each, indented ones belong to the item above. */
export function readParameterLines(lines: readonly string[]): ParameterList {
  const items: Item[] = [];
  for (const line of lines) {
    const item = readItem(line);
    if (item !== undefined) items.push(item);
    else if (items.length > 0 && line.trim() !== '' && !line.startsWith(' ') && !line.startsWith('\t')) break;
    else if (items.length === 0 && isOtherLabel(line)) break;
  }
  return readLevel(items);
}

function readLevel(items: readonly Item[]): ParameterList {
  const list: ParameterList = { properties: {}, required: [] };
  const indent = Math.min(...items.map((item) => item.indent));
  for (let at = 0; at < items.length; ) {
    const item = items[at];
    let next = at + 1;
    while ((items[next]?.indent ?? -1) > indent) next += 1;
    if (item !== undefined) {
      list.properties[item.name] = readSchema(item.rest, items.slice(at + 1, next));
      if (isRequired(item.rest)) list.required.push(item.name);
    }
    at = next;
  }
  return list;
}

function readItem(line: string): Item | undefined {
  const text = line.trimStart();
  if (!(text.startsWith('- ') || text.startsWith('* '))) return undefined;
  const body = text.slice(2).trimStart();
  let to = 0;
  while (to < body.length && !nameEnds.has(body[to] ?? '')) to += 1;
  let name = body.slice(0, to);
  for (const quote of ['**', '`', '"']) {
    if (name.startsWith(quote) && name.endsWith(quote) && name.length > 2 * quote.length) {
      name = name.slice(quote.length, -quote.length);
    }
  }
  return name === '' ? undefined : { indent: line.length - text.length, name, rest: body.slice(to) };
}

const nameEnds = new Set(': (\t,=');

function isOtherLabel(line: string): boolean {
  return line.trimEnd().endsWith(':');
}

function isRequired(rest: string): boolean {
  const head = rest.slice(0, 80).toLowerCase();
  return head.includes('required') && !head.includes('not required');
}

const types = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'integer'],
  ['int', 'integer'],
  ['float', 'number'],
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
  ['array', 'array'],
  ['list', 'array'],
  ['object', 'object'],
]);

function readSchema(rest: string, below: readonly Item[]): JsonSchema {
  // The type stands in front of the description; a later word such as "list" is prose.
  const type = wordsOf(rest.slice(0, 60))
    .map((word) => types.get(word.text.toLowerCase()))
    .find((name) => name !== undefined);
  const schema: Record<string, unknown> = { description: rest.trim(), ...readValues(rest) };
  if (type !== undefined) schema.type = type;
  if (below.length > 0) {
    const nested = { type: 'object', ...readLevel(below) };
    if (type === 'array') schema.items = nested;
    else Object.assign(schema, nested);
  }
  return schema;
}

/** `default: x`, `example: x` and `one of: a, b` as a manual words them. */
function readValues(rest: string): Record<string, unknown> {
  const lower = rest.toLowerCase();
  const values: Record<string, unknown> = {};
  const choices = labelled(rest, lower, ['one of', 'enum', 'allowed values', 'allowed', 'values']);
  if (choices !== undefined) {
    const list = splitList(choices).map(readLiteral);
    if (list.length > 1) values.enum = list;
  }
  const standard = labelled(rest, lower, ['default']);
  const first = standard === undefined ? undefined : splitList(standard)[0];
  if (first !== undefined) values.default = readLiteral(first);
  const sample = labelled(rest, lower, ['example', 'examples', 'e.g.']);
  const firstSample = sample === undefined ? undefined : splitList(sample)[0];
  if (firstSample !== undefined) values.examples = [readLiteral(firstSample)];
  return values;
}

/** What follows the first of the labels and a colon, up to the end of its bracket, sentence or line. */
function labelled(rest: string, lower: string, labels: readonly string[]): string | undefined {
  for (const label of labels) {
    const at = lower.indexOf(label);
    if (at === -1) continue;
    const after = rest.slice(at + label.length).trimStart();
    if (!after.startsWith(':') && !after.startsWith('=') && label !== 'one of' && label !== 'e.g.') continue;
    const body = after.startsWith(':') || after.startsWith('=') ? after.slice(1) : after;
    let to = 0;
    while (to < body.length && !(listEnds.has(body[to] ?? '') || (body[to] === '.' && (body[to + 1] ?? ' ') === ' ')))
      to += 1;
    return body.slice(0, to);
  }
  return undefined;
}

const listEnds = new Set(')];\n');

function splitList(text: string): string[] {
  return text
    .split('|')
    .flatMap((part) => part.split(','))
    .map((part) => {
      let item = part.trim();
      if (item.startsWith('or ')) item = item.slice(3).trim();
      const quote = item[0] ?? '';
      return '"\'`'.includes(quote) && item.length > 1 && item.endsWith(quote) ? item.slice(1, -1) : item;
    })
    .filter((item) => item !== '' && item !== '[' && item !== ']');
}

function readLiteral(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : value;
  } catch {
    return text.startsWith('[') ? text.slice(1).trim() : text;
  }
}
