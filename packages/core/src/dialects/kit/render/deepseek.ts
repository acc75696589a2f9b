import type { ToolDefinition } from '../../../chat/tool.ts';
import { spellings, withLookAlikes } from '../spellings.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';

/** What the templates of DeepSeek V3 and V3.1 are made of. */
export const deepseekMarkers: readonly string[] = withLookAlikes([
  ...spellings(['<｜tool▁'], ['calls', 'call', 'outputs', 'output'], ['▁'], ['begin', 'end'], ['｜>']),
  ...spellings(
    ['<｜'],
    ['tool▁calls', 'tool▁sep', 'User', 'Assistant', 'begin▁of▁sentence', 'end▁of▁sentence'],
    ['｜>'],
  ),
]);

/** A heading for each tool with its description and parameters. */
export function deepseekTools(tools: readonly ToolDefinition[]): string {
  return tools.map(describe).join('\n\n');
}

function describe({ name, description, inputSchema }: ToolDefinition): string {
  const json = (value: unknown) => escapeJsonMarkers(JSON.stringify(value), deepseekMarkers);
  const text = description === undefined ? '' : `Description: ${json(description)}\n`;
  return `### ${name}\n${text}Parameters: ${json(inputSchema)}`;
}
