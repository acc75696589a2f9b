import { checkTable } from '../table/check-table.ts';
import type { TableProblem } from '../table/table-shape.ts';
import type { DialectTable, ReasoningTable } from '../table.ts';
import { fieldsOf, readDelimiter, TemplateNotes, textsOf, type UncheckedFields } from './call-shape.ts';
import { readCallField } from './read-call-field.ts';

/** What a template says, as a table. */
export interface ResponseTemplateReading {
  /** Absent where there are problems. */
  readonly table?: DialectTable;
  /** What cannot be read, each at its place in the template, with what to write instead. */
  readonly problems: readonly TableProblem[];
  /** What was assumed, and what of the template has no meaning here. */
  readonly notes: readonly string[];
}

const reasoningNames = ['thinking', 'reasoning', 'reasoning_content'];
const templateKeys = ['version', 'defaults', 'start_anchor', 'start_anchor_pattern', 'fields'];

/**
 * Reads a `response_template` of version 1, with which Hugging Face tokenizers say how a reply is read, or the older
 * `response_schema`. Its patterns are never matched: those that are literals in disguise become the markers of a form, and
 * all others are problems.
 *
 * Source: https://huggingface.co/docs/transformers/main/chat_response_parsing
 */
export function readResponseTemplate(value: unknown): ResponseTemplateReading {
  const notes = new TemplateNotes();
  const template = fieldsOf(value);
  const table = 'fields' in template ? readTemplate(template, notes) : readSchema(template, notes);
  const problems = notes.problems.length > 0 || table === undefined ? notes.problems : tableProblems(table);
  return { ...(problems.length === 0 && table !== undefined ? { table } : {}), problems, notes: notes.notes };
}

/** What no form could do with the literals that a template names. */
function tableProblems(table: DialectTable): readonly TableProblem[] {
  return checkTable(table).map(({ path, reason }) => ({
    path: ['fields', 'tool_calls'],
    reason: `makes a table whose ${path.join('.')} ${reason}`,
  }));
}

function readTemplate(template: UncheckedFields, notes: TemplateNotes): DialectTable | undefined {
  const { version = 1, fields } = template;
  if (version !== 1) notes.problem(['version'], `${JSON.stringify(version)} is unknown; known: 1`);
  for (const key of Object.keys(template)) {
    if (!templateKeys.includes(key)) notes.problem([key], `unknown key; known: ${templateKeys.join(', ')}`);
  }
  reportAnchor(template, notes);
  return readFields(fieldsOf(fields), notes.at('fields'));
}

function readSchema(schema: UncheckedFields, notes: TemplateNotes): DialectTable | undefined {
  if (!('properties' in schema) && !('x-regex' in schema)) {
    notes.problem([], 'is not a response template: it has no "fields"');
    return undefined;
  }
  const fields = legacySchemaFields(schema, notes);
  return fields === undefined ? undefined : readFields(fields, notes);
}

function readFields(fields: UncheckedFields, notes: TemplateNotes): DialectTable | undefined {
  const around: { reasoning?: ReasoningTable; turnEnds: string[]; silent: string[] } = { turnEnds: [], silent: [] };
  for (const [name, value] of Object.entries(fields)) {
    const field = fieldsOf(value);
    const at = notes.at(name);
    if (name === 'tool_calls') continue;
    if (reasoningNames.includes(name)) {
      const reasoning = readReasoning(field, at);
      if (reasoning !== undefined) around.reasoning = reasoning;
    } else if (name === 'content') {
      const open = textsOf(readDelimiter(field, 'open', at));
      const close = textsOf(readDelimiter(field, 'close', at));
      if (open.length === 0) around.turnEnds.push(...close);
      else around.silent.push(...open, ...close);
    } else at.problem([], 'is not a part of a reply that clients know; leave it out');
  }
  if (fields.tool_calls === undefined) {
    notes.problem(['tool_calls'], 'is missing; a model without calls needs no dialect');
    return undefined;
  }
  const calls = readCallField(fieldsOf(fields.tool_calls), notes.at('tool_calls'));
  if (calls === undefined) return undefined;
  const { reasoning, turnEnds, silent } = around;
  return {
    ...calls,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(turnEnds.length === 0 ? {} : { turnEnds: turnEnds.map((text) => text.trim()) }),
    ...(silent.length === 0 ? {} : { silent: silent.map((text) => text.trim()) }),
  };
}

/** Where the prompt has opened the thinking, only its closer is written. */
function readReasoning(field: UncheckedFields, notes: TemplateNotes): ReasoningTable | undefined {
  const closer = textsOf(readDelimiter(field, 'close', notes))[0]?.trim();
  if (opensInPrompt(field.open_pattern)) {
    notes.opened();
    return closer === undefined ? undefined : { opener: closer.replace('</', '<'), closer };
  }
  const [opener] = textsOf(readDelimiter(field, 'open', notes));
  if (opener === undefined || closer === undefined) {
    if (notes.problems.length === 0) notes.problem([], 'needs an opener and a closer');
    return undefined;
  }
  return { opener, closer };
}

/** A pattern that only looks ahead to the closer. */
function opensInPrompt(pattern: unknown): boolean {
  return typeof pattern === 'string' && pattern.startsWith('(?=') && pattern.endsWith(')');
}

/** The anchor is for prompts, which we never see; but it may say that the prompt opens the thinking. */
function reportAnchor(template: UncheckedFields, notes: TemplateNotes): void {
  const { start_anchor: literal, start_anchor_pattern: pattern } = template;
  const anchor = [literal, pattern].flat().find((each) => typeof each === 'string');
  if (typeof anchor === 'string' && anchor.includes('<think>')) {
    notes.opened();
  }
}

/** A group that stands for all that a pattern finds. */
const anyText = ['(.*?)', '(.+?)', '([\\s\\S]*?)', '([\\s\\S]+?)'];
const transform = { type: 'function', function: { name: '{name}', arguments: '{content}' } };

/**
 * The `fields` of a response template that say what an older `response_schema` says. Its patterns search the reply, each
 * in what the one around it has found; where that is a literal before a literal, the two become one opener.
 */
function legacySchemaFields(schema: UncheckedFields, notes: TemplateNotes): UncheckedFields | undefined {
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
function aroundOf(property: UncheckedFields, name: string): readonly (readonly [string, unknown])[] {
  const pattern = property['x-regex'];
  const parts = typeof pattern === 'string' ? splitAtAny(pattern) : undefined;
  if (parts === undefined || parts[0] === '' || parts[1] === '') return [];
  return [[name, { open_pattern: parts[0], close_pattern: parts[1], content: 'text' }]];
}

function callField(
  iterator: string,
  { calls, notes }: { readonly calls: UncheckedFields; readonly notes: TemplateNotes },
): UncheckedFields | undefined {
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

/** What comes before the arguments: the part of the call's pattern up to them, or the pattern of the name. */
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
