import type { JsonSchema, ToolDefinition } from '@dragoman/core';
import { isRecord } from '../is-record.ts';
import { findJson } from './find-json.ts';
import { readManual } from './read-manual.ts';

export interface ReadTools {
  readonly tools: readonly ToolDefinition[];
  /** The text without the definitions in JSON. */
  readonly prose: string;
}

/**
 * Finds the tools that a prompt documents, whatever words surround them: JSON definitions (an object with a name and a
 * schema, alone, in a list or under `function`) and manuals with a heading and a parameter list for each tool.
 * The first description of a name counts.
 */
export function readTools(text: string): ReadTools {
  const tools = new Map<string, ToolDefinition>();
  const add = (tool: ToolDefinition): void => {
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  };
  let prose = '';
  let at = 0;
  for (const { value, from, to } of findJson(text)) {
    const defined = readDefinitions(value, 0);
    if (defined.length === 0) continue;
    for (const tool of defined) add(tool);
    prose += text.slice(at, from);
    at = to;
  }
  // Descriptions inside JSON may hold headings of their own; a manual is looked for outside only.
  prose += text.slice(at);
  for (const tool of readManual(prose)) add(tool);
  return { tools: [...tools.values()], prose };
}

const schemaKeys = ['parameters', 'input_schema', 'inputSchema'] as const;
const deepestDefinition = 4;

function readDefinitions(value: unknown, depth: number): ToolDefinition[] {
  if (depth > deepestDefinition) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => readDefinitions(item, depth + 1));
  if (!isRecord(value)) return [];
  const { name, description } = value;
  const schemaKey = schemaKeys.find((key) => isRecord(value[key]));
  if (typeof name === 'string' && name !== '' && schemaKey !== undefined) {
    const inputSchema = value[schemaKey] as JsonSchema;
    return [typeof description === 'string' ? { name, description, inputSchema } : { name, inputSchema }];
  }
  return Object.values(value).flatMap((item) => readDefinitions(item, depth + 1));
}
