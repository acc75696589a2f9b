import { type Dialect, type JsonSchema, runStage, type ToolDefinition } from '@dragoman/core';
import { isRecord } from '../../../is-record.ts';

/**
 * Finds the tools that a prompt documents, in the four ways in which dialects write them: as JSON with a name and a
 * schema, as a name with a schema after it, as Gemma's declaration, and as a manual. Of a name the first counts.
 */
export function readTools(prompt: string, dialect: Dialect): readonly ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  const add = (tool: ToolDefinition): void => {
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  };
  let manual = '';
  let at = 0;
  for (const { value, from, to } of findJson(prompt)) {
    const before = prompt.slice(at, from);
    const found = [...definitionsIn(value, 0), ...definitionAfterName(value, before)];
    if (found.length === 0) continue;
    for (const tool of found) add(tool);
    // A description in JSON may hold a manual of its own.
    manual += before;
    at = to;
  }
  manual += prompt.slice(at);
  for (const tool of [...readDeclarations(manual, dialect), ...readManual(manual)]) add(tool);
  return [...tools.values()];
}

interface FoundJson {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** The JSON objects of a text, outermost ones only. Braces of prose, and of a JSON string that breaks off, are passed over. */
function findJson(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  for (let from = text.indexOf('{'); from !== -1; ) {
    const to = endOfObject(text, from);
    const value = to === -1 ? undefined : parsed(text.slice(from, to));
    if (value !== undefined) found.push({ value, from, to });
    from = text.indexOf('{', value === undefined ? from + 1 : to);
  }
  return found;
}

/** The deepest nesting that is followed. It keeps the search linear. */
const deepest = 64;
/** White space, punctuation, and the letters of numbers, `true`, `false` and `null`. */
const outsideStrings = new Set(' \n\r\t,:+-.0123456789eEtrufalsn');

/** Where the object that opens at `from` ends; -1 where no JSON object stands. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
        if (text[at] === '\n') return -1;
        if (text[at] === '\\') at += 1;
      }
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) return -1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (!outsideStrings.has(character)) return -1;
  }
  return -1;
}

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const deepestDefinition = 4;
const schemaWords = ['type', 'properties', '$ref', 'anyOf'];

/** Objects with a name and a schema, alone, in a list or under `function`. The example of a call has values instead. */
function definitionsIn(value: unknown, depth: number): ToolDefinition[] {
  if (depth > deepestDefinition) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => definitionsIn(item, depth + 1));
  if (!isRecord(value)) return [];
  const { name, description, parameters } = value;
  const isSchema =
    isRecord(parameters) &&
    (Object.keys(parameters).length === 0 || schemaWords.some((word) => parameters[word] !== undefined));
  if (typeof name === 'string' && isSchema) return [definition(name, parameters, description)];
  return Object.values(value).flatMap((item) => definitionsIn(item, depth + 1));
}

function definition(name: string, inputSchema: JsonSchema, description: unknown): ToolDefinition {
  return typeof description === 'string' ? { name, description, inputSchema } : { name, inputSchema };
}

/** What dialects write before a tool's name where its schema comes after it: `### read`, `type read = …`. */
const beforeName = ['### Tool name: ', '### ', 'type ', 'def '];

/** A schema whose tool is named before it, with the description as a JSON string on a line of its own. */
function definitionAfterName(value: unknown, before: string): ToolDefinition[] {
  if (!isRecord(value) || value.type !== 'object') return [];
  const [at, mark] = beforeName
    .map((each) => [before.lastIndexOf(each), each] as const)
    .reduce((last, each) => (each[0] > last[0] ? each : last), [-1, '']);
  if (at < 0) return [];
  const name = leadingWord(before.slice(at + mark.length));
  const quoted = before.split('\n').findLast((line) => line.endsWith('"') && line.includes('"')) ?? '';
  return name === '' ? [] : [definition(name, value, parsed(quoted.slice(quoted.indexOf('"'))))];
}

/** The beginning of a text up to white space or what opens a definition. */
function leadingWord(text: string): string {
  let to = 0;
  while (to < text.length && !' \n\t{(=<:'.includes(text.charAt(to))) to += 1;
  return text.slice(0, to);
}

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
    const value = call === undefined ? undefined : parsed(call.arguments);
    if (!isRecord(value) || !isRecord(value.parameters)) return [];
    return [definition(name, withPlainTypes(value.parameters), value.description)];
  });
}

/** Gemma writes the types of a schema in capitals. */
function withPlainTypes(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === 'type' && typeof value === 'string') return [key, value.toLowerCase()];
    return [key, isRecord(value) ? withPlainTypes(value) : value];
  });
  return Object.fromEntries(entries);
}

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
    const line = (lines[at] ?? '').slice('- '.length);
    let next = at + 1;
    while (lines[next]?.startsWith('  ') === true) next += 1;
    const inner = lines.slice(at + 1, next).map((each) => each.slice('  '.length));
    const name = leadingWord(line);
    const rest = line.slice(name.length + ': '.length);
    const isRequired = rest.startsWith('(required)');
    if (isRequired) required.push(name);
    const type = leadingWord(rest.slice(rest.indexOf(')') + ') '.length));
    const nested = inner.length === 0 ? {} : type === 'array' ? { items: schemaOf(inner) } : schemaOf(inner);
    properties[name] = { description: rest, ...valuesOf(rest), ...nested, type };
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
  const choices = after(' One of: ');
  const standard = after(' Default: ');
  return {
    ...(Array.isArray(choices) ? { enum: choices } : {}),
    ...(Array.isArray(standard) ? { default: standard[0] } : {}),
  };
}
