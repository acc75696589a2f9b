import type { ToolDefinition } from '../../chat/tool.ts';

/** A tool as JSON on one line, in the shape that models trained on function calling know. */
export function functionJson(tool: ToolDefinition): string {
  return JSON.stringify({ type: 'function', function: functionFields(tool) });
}

/** The fields of a tool in a fixed order; an absent description stays absent. */
export function functionFields(tool: ToolDefinition): { readonly name: string; readonly [field: string]: unknown } {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parameters: tool.inputSchema,
  };
}
