import { type Fields, fieldsOf } from './call-shape.ts';
import type { TemplateNotes } from './template-notes.ts';

/** A group that stands for all that a pattern finds. */
const anyText = ['(.*?)', '(.+?)', '([\\s\\S]*?)', '([\\s\\S]+?)'];
const transform = { type: 'function', function: { name: '{name}', arguments: '{content}' } };

/**
 * The `fields` of a response template that say what an older `response_schema` says. Its patterns search the reply, each
 * in what the one around it has found; where that is a literal in front of a literal, the two become one opener.
 */
export function legacySchemaFields(schema: Fields, notes: TemplateNotes): Fields | undefined {
  const properties = fieldsOf(schema.properties);
  if ('x-regex' in schema)
    notes.note('"x-regex" of the whole reply is not read: text and <think> are told apart anyway');
  const calls = fieldsOf(properties.tool_calls);
  const iterator = calls['x-regex-iterator'];
  if (typeof iterator !== 'string') {
    notes.problem(
      ['properties', 'tool_calls', 'x-regex-iterator'],
      'is missing; without it nothing tells a call from text',
    );
    return undefined;
  }
  const field = callField(iterator, { calls, notes: notes.at('properties', 'tool_calls') });
  if (field === undefined) return undefined;
  const thinking = ['thinking', 'reasoning_content'].flatMap((name) => aroundOf(fieldsOf(properties[name]), name));
  return { tool_calls: field, ...Object.fromEntries(thinking) };
}

/** `<think>(.*?)</think>` as a field with an opener and a closer; patterns of another form are left to the frame. */
function aroundOf(property: Fields, name: string): readonly (readonly [string, unknown])[] {
  const pattern = property['x-regex'];
  const parts = typeof pattern === 'string' ? splitAtAny(pattern) : undefined;
  if (parts === undefined || parts[0] === '' || parts[1] === '') return [];
  return [[name, { open_pattern: parts[0], close_pattern: parts[1], content: 'text' }]];
}

function callField(
  iterator: string,
  { calls, notes }: { readonly calls: Fields; readonly notes: TemplateNotes },
): Fields | undefined {
  const items = fieldsOf(calls.items);
  const itemProperties = fieldsOf(items.properties);
  const call = 'function' in itemProperties ? fieldsOf(itemProperties.function) : items;
  const { name, arguments: given } = fieldsOf(call.properties);
  const parts = splitAtAny(iterator) ?? splitAtGroup(iterator, 'arguments');
  if (parts === undefined) {
    notes.problem(['x-regex-iterator'], 'must be a literal, (.*?) and a literal; or write the dialect as a "table"');
    return undefined;
  }
  const [front, back] = parts;
  const around = { repeats: true, close_pattern: back };
  if (items['x-parser'] === 'json') return { ...around, open_pattern: front, content: 'json', transform: '{content}' };
  const header = headerPattern(call['x-regex'], fieldsOf(name)['x-regex']);
  const open = header === undefined ? front : `${front}\\s*${header}`;
  const values = fieldsOf(given);
  const keyed = values['x-regex-key-value'];
  if (typeof keyed === 'string') {
    return { ...around, open_pattern: open, content: 'xml-inline', content_args: { tag_pattern: keyed }, transform };
  }
  const parser = values['x-parser'];
  if (parser === 'gemma4-tool-call') {
    const quotes = { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] };
    return { ...around, open_pattern: open, content: 'json', content_args: quotes, transform };
  }
  if (parser === 'json') return { ...around, open_pattern: open, content: 'json', transform };
  notes.problem(
    ['items'],
    'says of no parser that calls can be read by; known: "json", "gemma4-tool-call", "x-regex-key-value"',
  );
  return undefined;
}

/** What stands in front of the arguments: the part of the call's pattern up to them, or the pattern of the name. */
function headerPattern(call: unknown, name: unknown): string | undefined {
  if (typeof call === 'string') return splitAtGroup(call, 'arguments')?.[0];
  if (typeof name !== 'string') return undefined;
  const start = name.startsWith('^') ? 1 : 0;
  const open = name.indexOf('(', start);
  return open < 0 ? undefined : `${name.slice(start, open)}(?P<name>${name.slice(open + 1)}`;
}

function splitAtAny(pattern: string): readonly [string, string] | undefined {
  const group = anyText.find((each) => pattern.includes(each));
  return group === undefined ? undefined : splitAt(pattern, pattern.indexOf(group), group.length);
}

/** The group may hold anything that has no group in it. */
function splitAtGroup(pattern: string, name: string): readonly [string, string] | undefined {
  const start = pattern.indexOf(`(?P<${name}>`);
  if (start < 0) return undefined;
  const end = pattern.indexOf(')', start);
  return end < 0 ? undefined : splitAt(pattern, start, end + 1 - start);
}

function splitAt(pattern: string, at: number, length: number): readonly [string, string] {
  return [pattern.slice(0, at), pattern.slice(at + length)];
}
