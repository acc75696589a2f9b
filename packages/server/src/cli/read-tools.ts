import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ChatRequest, clientWires, type ToolDefinition } from '@dragoman/core';
import { nearestName } from '../config/nearest-name.ts';
import { isRecord } from '../is-record.ts';
import { CommandError, type Terminal } from './terminal.ts';

/**
 * The tools in a file: a list of them, or a whole request that declares them, in the words of any API. Throws CommandError
 * for a file that is none of these, and names the tool and the field that would not be read.
 */
export async function readToolsFile({ cwd }: Terminal, file: string): Promise<readonly ToolDefinition[]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(resolve(cwd, file), 'utf8'));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(`The tools in ${file} cannot be read: ${reason}`);
  }
  const list = listIn(content);
  if (list === undefined) {
    throw new CommandError(`${file} holds no tools: a list of them, or a request with "tools", was expected.`);
  }
  const { tools, warnings } = requestWith(declarationsIn(list, file).map(readDeclaration));
  const [warning] = warnings;
  if (warning !== undefined) throw new CommandError(`${file}: ${warning.message}`);
  return tools;
}

/** A request that declares these tools, as a Chat Completions request declares them. */
export function requestWith(tools: unknown): ChatRequest {
  const wire = clientWires.get('openai-chat');
  if (wire === undefined) throw new CommandError('the wire openai-chat is missing');
  return wire.readRequest({
    model: 'line',
    messages: [{ role: 'user', content: 'line' }],
    ...(Array.isArray(tools) && tools.length === 0 ? {} : { tools }),
  });
}

/** The list itself, or where a request of some API has it: `tools`, `functions`, or Bedrock's `toolConfig`. */
function listIn(content: unknown): readonly unknown[] | undefined {
  if (!isRecord(content)) return Array.isArray(content) ? content : undefined;
  const { tools, functions, toolConfig } = content;
  const inside = isRecord(toolConfig) ? toolConfig.tools : undefined;
  return [tools, functions, inside].find((each): each is unknown[] => Array.isArray(each));
}

/** One by one: an entry of Gemini's list declares several tools, and one of Bedrock's may only say what is cached. */
function declarationsIn(list: readonly unknown[], file: string): readonly Declaration[] {
  return list.flatMap((value, at): readonly Declaration[] => {
    const place = `tools[${at}] in ${file}`;
    if (!isRecord(value) || 'name' in value) return [{ value, place }];
    const many = value.functionDeclarations ?? value.function_declarations;
    if (Array.isArray(many)) {
      return many.map((each, index) => ({ value: each, place: `functionDeclarations[${index}] of ${place}` }));
    }
    return 'cachePoint' in value ? [] : [{ value, place }];
  });
}

/** A tool as some API declares it, and where it stands. */
interface Declaration {
  readonly value: unknown;
  readonly place: string;
}

/** What the APIs call the schema of a tool. */
const schemaKeys = ['parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema', 'parameters_json_schema'];

const readKeys = ['name', 'description', ...schemaKeys];

/** Besides, fields of some API that change nothing here, and that else look like those that do. */
const knownKeys = [...readKeys, 'type', 'title', 'strict', 'outputSchema', 'output_schema'];

/**
 * The tool as Chat Completions declares it. The APIs differ in where they put its fields: flat, or in `function` or
 * `toolSpec`. Throws CommandError for what none of them would take, and for a schema that would be overlooked.
 */
function readDeclaration({ value, place }: Declaration): unknown {
  const { function: inFunction, toolSpec } = isRecord(value) ? value : {};
  const fields = [inFunction, toolSpec, value].find(isRecord) ?? {};
  refuseMisspelt(fields, place);
  const { name, description } = fields;
  if (typeof name !== 'string' || name === '') throw new CommandError(nameless(value, place));
  return { type: 'function', function: { name, description, parameters: schemaOf(fields, place) } };
}

function nameless(value: unknown, place: string): string {
  const type = isRecord(value) ? value.type : undefined;
  const kind = typeof type === 'string' && type !== 'function' ? `, and is of the type ${JSON.stringify(type)}` : '';
  return `${place} has no "name"${kind}: write {"name": …, "description": …, "parameters": {…}}.`;
}

/** What is not read would be missing without a word: a tool without its schema takes any arguments. */
function refuseMisspelt(fields: Readonly<Record<string, unknown>>, place: string): void {
  const unread = Object.keys(fields).filter((key) => !knownKeys.includes(key));
  for (const key of unread) {
    const meant = nearestName(
      key,
      knownKeys.filter((each) => !(each in fields)),
    );
    if (meant !== undefined && readKeys.includes(meant)) {
      throw new CommandError(
        `${place} has an unknown field ${JSON.stringify(key)}; did you mean ${JSON.stringify(meant)}?`,
      );
    }
  }
  if (schemaKeys.some((key) => key in fields)) return;
  const schema = unread.find((key) => isRecord(fields[key]) && 'properties' in fields[key]);
  if (schema === undefined) return;
  throw new CommandError(
    `${place} has a schema in ${JSON.stringify(schema)}, where no API has it: call it "parameters".`,
  );
}

function schemaOf(fields: Readonly<Record<string, unknown>>, place: string): unknown {
  const key = schemaKeys.find((each) => fields[each] !== undefined);
  if (key === undefined) return undefined;
  const found = fields[key];
  // Bedrock's stands one level deeper. A schema has its own words beside "json", if that is a parameter at all.
  const schema = isRecord(found) && Object.keys(found).join() === 'json' ? found.json : found;
  if (typeof schema !== 'boolean' && !isRecord(schema)) {
    throw new CommandError(`"${key}" of ${place} is not a JSON Schema: write an object.`);
  }
  return inSmallLetters(schema);
}

/** Gemini writes types in capitals (`"OBJECT"`), which JSON Schema does not know. */
function inSmallLetters(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { type, properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: type.toLowerCase() } : {}),
    ...(isRecord(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, inSmallLetters(each)])) }
      : {}),
    ...(isRecord(items) ? { items: inSmallLetters(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(inSmallLetters) } : {}),
  };
}
