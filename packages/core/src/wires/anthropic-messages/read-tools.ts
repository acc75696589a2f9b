import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type ReadNotes,
  readFlag,
  readList,
  readObject,
} from '../read-values.ts';
import { asExtra } from './types.ts';

/**
 * The declared tools. One that Anthropic would run, or that has no schema because Claude knows it, is left out and
 * reported, and so is a malformed or repeated one; the others stay. Tools whose loading is deferred are declared like all
 * others: only an upstream of this wire knows how to wait for them.
 */
export function readTools(body: JsonObject, notes: ReadNotes): readonly ToolDefinition[] {
  if (isAbsent(body.tools)) return [];
  const tools: ToolDefinition[] = [];
  const names = new Set<string>();
  readList(body.tools, 'tools').forEach((value, index) => {
    const tool = readTool(value);
    const problem = typeof tool === 'string' ? tool : names.has(tool.name) ? 'its name is declared twice' : undefined;
    if (typeof tool === 'string' || problem !== undefined) {
      notes.add({ code: 'tool-dropped', message: `tools[${index}] was left out: ${problem}.` });
      return;
    }
    names.add(tool.name);
    tools.push(tool);
  });
  return tools;
}

/** One tool, or what is wrong with it. */
function readTool(value: unknown): ToolDefinition | string {
  if (!isObject(value)) return 'it is not an object';
  const { type, name, description, input_schema: schema, ...own } = value;
  if (!isAbsent(type) && type !== 'custom') {
    return `tools of type "${String(type).slice(0, 40)}" need Anthropic to run or to know them`;
  }
  if (isObject(value.function)) return 'it has the form of another API; name and input_schema stand in the tool itself';
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (!isAbsent(description) && typeof description !== 'string') return 'its description is not a string';
  if (!isAbsent(schema) && !isObject(schema) && schema !== true) return 'its input_schema is not a schema';
  const isEmpty = !isObject(schema) || Object.keys(schema).length === 0;
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: isEmpty ? { type: 'object', properties: {} } : schema,
    ...asExtra(own),
  };
}

export interface ReadChoice {
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
}

/** `tool_choice` with its switch against parallel calls. A name has to be one of the tools that were kept. */
export function readToolChoice(body: JsonObject, tools: readonly ToolDefinition[]): ReadChoice {
  if (isAbsent(body.tool_choice)) return { toolChoice: 'auto', parallelToolCalls: true };
  const choice = readObject(body.tool_choice, 'tool_choice');
  const path = 'tool_choice.disable_parallel_tool_use';
  return {
    toolChoice: readChoice(choice, tools),
    parallelToolCalls: !readFlag(choice.disable_parallel_tool_use, path, false),
  };
}

function readChoice(choice: JsonObject, tools: readonly ToolDefinition[]): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      return 'required';
    case 'tool': {
      const { name } = choice;
      if (typeof name !== 'string' || name === '') throw badRequest('tool_choice.name', 'is required.');
      if (!tools.some((tool) => tool.name === name)) {
        throw badRequest('tool_choice.name', `names the tool "${name.slice(0, 64)}", which is not declared.`);
      }
      return { name };
    }
    default:
      throw badRequest(
        'tool_choice.type',
        typeof choice.type === 'string'
          ? 'must be auto, any, tool or none.'
          : `must be a string, not ${kindOf(choice.type)}.`,
      );
  }
}
