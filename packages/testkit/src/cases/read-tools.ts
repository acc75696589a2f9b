import type { JsonSchema, ToolDefinition } from '@dragoman/core';

/**
 * The tools of a case: a JSON list of OpenAI tool objects, or one line per tool in a short notation,
 * `read(path: string, limit?: integer)`. A type is a JSON Schema type name, `any`, a JSON string (a member of an
 * enumeration), a list such as `string[]`, or several of these joined by `|`. Throws with the line that it cannot read.
 */
export function readTools(text: string): ToolDefinition[] {
  if (text.trimStart().startsWith('[')) return readToolObjects(JSON.parse(text));
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readToolLine);
}

interface ToolObject {
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JsonSchema };
}

function readToolObjects(tools: readonly ToolObject[]): ToolDefinition[] {
  return tools.map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: parameters ?? { type: 'object', properties: {} },
  }));
}

function readToolLine(line: string): ToolDefinition {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 1 || close < open) throw new Error(`a tool is written name(parameter: type, …): ${line}`);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const parameter of line.slice(open + 1, close).split(',')) {
    if (parameter.trim() === '') continue;
    const colon = parameter.indexOf(':');
    if (colon === -1) throw new Error(`a parameter is written name: type in ${line}`);
    const name = parameter.slice(0, colon).trim();
    const optional = name.endsWith('?');
    properties[optional ? name.slice(0, -1) : name] = readType(parameter.slice(colon + 1), line);
    if (!optional) required.push(name);
  }
  return { name: line.slice(0, open).trim(), inputSchema: { type: 'object', properties, required } };
}

const typeNames = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

function readType(text: string, line: string): JsonSchema {
  const parts = text.split('|').map((part) => part.trim());
  if (parts.every((part) => part.startsWith('"'))) return { enum: parts.map((part): unknown => JSON.parse(part)) };
  if (parts.every((part) => typeNames.includes(part))) return { type: parts.length === 1 ? parts[0] : parts };
  const [part] = parts;
  if (part === undefined || parts.length > 1) throw new Error(`unknown type ${text.trim()} in ${line}`);
  if (part === 'any') return {};
  if (part.endsWith('[]')) return { type: 'array', items: readType(part.slice(0, -2), line) };
  throw new Error(`unknown type ${part} in ${line}`);
}
