import { type Dialect, type JsonSchema, runStage, type ToolDefinition } from '@dragoman/core';
import { isRecord } from '../../../is-record.ts';

/**
 * Finds the tools that a prompt documents, in the four ways in which dialects write them: as JSON with a name and a
 * schema, as a name with a schema after it, as Gemma's declaration, and as a manual. Of a name the first counts.
 */
export function readTools(prompt: string, dialect: Dialect): readonly ToolDefinition[] {
  const found: ToolDefinition[] = [];
  // A description in JSON may hold a manual of its own.
  const manual: string[] = [];
  let name = '';
  let description: unknown;
  for (const line of prompt.split('\n')) {
    const values = jsonIn(line);
    const [schema] = values;
    const own = values.flatMap(definitionsIn);
    name = nameIn(line) || name;
    description = line.endsWith('"') ? parsed(line.slice(line.indexOf('"'))) : description;
    if (own.length > 0) found.push(...own);
    else if (name !== '' && isRecord(schema) && schema.type === 'object')
      found.push(definition(name, schema, description));
    else manual.push(line);
  }
  const text = manual.join('\n');
  const tools = new Map<string, ToolDefinition>();
  for (const tool of [...found, ...readDeclarations(text, dialect), ...readManual(text)]) {
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/** The JSON objects that a line holds, one or a list of them, whatever is around them. */
function jsonIn(line: string): readonly unknown[] {
  const objects = parsed(`[${line.slice(line.indexOf('{"'), line.lastIndexOf('}') + 1)}]`);
  return Array.isArray(objects) ? objects : [];
}

/** What dialects write before a tool's name where its schema comes after it: `### read`, `type read = …`. */
const beforeName = ['### Tool name: ', '### ', 'type ', 'def '];

function nameIn(line: string): string {
  const mark = beforeName.find((each) => line.startsWith(each));
  return mark === undefined ? '' : leadingWord(line.slice(mark.length));
}

/** Undefined for what is no JSON. */
export function parsed(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** An object with a name and a schema, alone or under `function`. The example of a call has values instead. */
function definitionsIn(value: unknown): ToolDefinition[] {
  if (!isRecord(value)) return [];
  const { name, description, parameters } = isRecord(value.function) ? value.function : value;
  const isSchema = isRecord(parameters) && (parameters.type !== undefined || Object.keys(parameters).length === 0);
  return typeof name === 'string' && isSchema ? [definition(name, parameters, description)] : [];
}

function definition(name: string, inputSchema: JsonSchema, description: unknown): ToolDefinition {
  return typeof description === 'string' ? { name, description, inputSchema } : { name, inputSchema };
}

/** The beginning of a text up to white space or what opens a definition. */
const leadingWord = (text: string): string => text.split(/[\s{(=<:]/, 1)[0] ?? '';

const declared = 'declaration:';

/** Gemma declares a tool as it writes a call, so the dialect's own parser reads the declaration as one. */
function readDeclarations(prompt: string, dialect: Dialect): ToolDefinition[] {
  const hole = { callId: '', name: 'HOLE', arguments: '{}', ordinal: 0 };
  const [, ...pieces] = prompt.split(declared);
  if (pieces.length === 0) return [];
  const [opener = '', closer = ''] = dialect.renderCalls([hole], []).split('HOLE{}');
  return pieces.flatMap((piece) => {
    const name = leadingWord(piece);
    const end = piece.indexOf('}}<');
    if (end < 0) return [];
    const tools = [{ name, inputSchema: true }];
    const [call] = readCalls(`${opener}${piece.slice(0, end + 2)}${closer}`, tools, dialect);
    const value = call === undefined ? undefined : parsed(call.arguments, inPlainTypes);
    if (!isRecord(value) || !isRecord(value.parameters)) return [];
    return [definition(name, value.parameters, value.description)];
  });
}

/** Gemma writes the types of a schema in capitals. */
const inPlainTypes = (key: string, value: unknown): unknown =>
  key === 'type' && typeof value === 'string' ? value.toLowerCase() : value;

export interface SeenCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

/** The calls in a text. A model knows what it wrote: it reads its own dialect. */
export function readCalls(text: string, tools: readonly ToolDefinition[], dialect: Dialect): SeenCall[] {
  const calls: SeenCall[] = [];
  let current = { callId: '', name: '', arguments: '' };
  for (const span of runStage(dialect.createParser({ tools }), [text])) {
    if (span.kind === 'call') current = { callId: span.nativeId ?? '', name: span.name, arguments: '' };
    else if (span.kind === 'arguments') current.arguments += span.text;
    else if (span.kind === 'call-end') calls.push({ ...current, callId: span.nativeId ?? current.callId });
  }
  return calls;
}

const isHeading = (line: string | undefined): boolean => line?.startsWith('## ') === true;
const isLabel = (line: string | undefined, label: string): boolean => line?.startsWith(`${label}:`) === true;

/** A manual: the tool's name as a heading, `Description:`, and below `Parameters:` an item for each parameter. */
function readManual(text: string): ToolDefinition[] {
  const lines = text.split('\n');
  // A description may hold headings too.
  const starts = [...lines.keys()].filter(
    (at) => isHeading(lines[at]) && ['Description', 'Parameters'].some((label) => isLabel(lines[at + 1], label)),
  );
  return starts.flatMap((start, index) => {
    const section = lines.slice(start, starts[index + 1] ?? lines.length);
    const from = section.findIndex((line) => isLabel(line, 'Parameters'));
    if (from < 0) return [];
    const name = (section[0] ?? '').slice('## '.length);
    const description = section.slice(1, from).join('\n').slice('Description: '.length);
    const after = section.slice(from + 1);
    const to = after.findIndex((line) => !line.trimStart().startsWith('- '));
    const inputSchema = schemaOf(to < 0 ? after : after.slice(0, to));
    return [definition(name, inputSchema, description === '' ? undefined : description)];
  });
}

/** Items `- name: (required) type – words`, with the properties of an object as items below it. */
function schemaOf(lines: readonly string[]): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const { 1: name = '', 2: word, 3: type = '' } = /^- ([^:]+): \((\w+)\) (\w+)/.exec(lines[at] ?? '') ?? [];
    let next = at + 1;
    while (lines[next]?.startsWith('  ') === true) next += 1;
    const inner = lines.slice(at + 1, next).map((each) => each.slice('  '.length));
    const nested = inner.length === 0 ? {} : type === 'array' ? { items: schemaOf(inner) } : schemaOf(inner);
    if (word === 'required') required.push(name);
    properties[name] = { description: lines[at], ...valuesOf(lines[at] ?? ''), ...nested, type };
    at = next;
  }
  return { type: 'object', properties, required };
}

/** `One of: "a", "b".` and `Default: "a".` at the end of an item, as JSON. */
function valuesOf(item: string): Record<string, unknown> {
  const after = (label: string): unknown => {
    const at = item.lastIndexOf(label);
    const text = item.slice(at + label.length);
    const end = text.indexOf('. ') < 0 ? text.lastIndexOf('.') : text.indexOf('. ');
    return at < 0 ? undefined : parsed(`[${text.slice(0, end)}]`);
  };
  const [standard] = [after(' Default: ')].flat();
  return { enum: after(' One of: '), default: standard };
}
