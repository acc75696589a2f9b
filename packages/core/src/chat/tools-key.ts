import type { ToolDefinition } from './tool.ts';

const keys = new WeakMap<readonly ToolDefinition[], string>();

/**
 * What is the same for equal tools: equal in content, not in identity. Agents send the same tools with every request, and what is
 * made for them is remembered by this. Written once for each list, which takes milliseconds where there are very many parameters.
 */
export function keyOfTools(tools: readonly ToolDefinition[]): string {
  const known = keys.get(tools) ?? JSON.stringify(tools);
  keys.set(tools, known);
  return known;
}
