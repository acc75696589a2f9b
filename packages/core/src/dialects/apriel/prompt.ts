import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { callList, resultBlocks } from '../kit/render/json-list.ts';
import { renderLesson, toolLines } from '../kit/render/lesson.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { spellings } from '../kit/spellings.ts';

const own = ['tool_calls', 'tool_call', 'tool_response', 'available_tools'].flatMap((tag) => [`<${tag}>`, `</${tag}>`]);
const controls: readonly string[] = [
  ...spellings(['<|'], ['begin_', ''], ['system|>', 'user|>', 'assistant|>', 'tool_result|>', 'content|>']),
  '<|end|>',
  ...turnMarkers,
];
const channels: readonly string[] = ['Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]'];
const all: readonly string[] = [...own, ...channels, ...controls];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro:
      'You can call the tools below. Each line between <available_tools> and </available_tools> describes one tool as JSON, with the JSON Schema of its parameters.',
    tools: `<available_tools>\n${toolLines(tools, all).join('\n')}\n</available_tools>`,
    form: `To call tools, write one JSON list of all calls between <tool_calls> and </tool_calls>:

<tool_calls>[{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}]</tool_calls>`,
    rules: ['Calls stand behind your reasoning, never in it. Every reply has at most one list, and it is valid JSON.'],
  }));
}

/** One list for the round. */
export function renderCalls(calls: readonly PastCall[]): string {
  return calls.length === 0 ? '' : `<tool_calls>${callList(calls, controls)}</tool_calls>`;
}

/** Each result as a JSON object in a block of its own. */
export function renderResults(results: readonly PastResult[]): string {
  return resultBlocks('tool_response', results);
}
