import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { callObject, resultBlocks } from '../kit/render/json-list.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const own = ['tool_calls', 'tool_call', 'tool_response', 'tool_definitions'].flatMap((tag) => [
  `<${tag}>`,
  `</${tag}>`,
]);
const all: readonly string[] = [...own, '<|bom|>', '<|eom|>', ...turnMarkers];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** The template's block of definitions, each tool as JSON, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools below. Each is described as JSON, with the JSON Schema of its parameters.',
    tools: `<tool_definitions>\n# Tools\n\n## Functions\n\n${tools.map(describe).join('\n\n')}\n</tool_definitions>`,
    form: `To call tools, write one JSON list of all calls between <tool_calls> and </tool_calls>:

<tool_calls>[
{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}
]</tool_calls>`,
    rules: ['Every reply has at most one list, and it is valid JSON.'],
  }));
}

/** The template indents it, which would cost tokens. */
function describe(tool: ToolDefinition): string {
  return escapeJsonMarkers(JSON.stringify(functionFields(tool)), all);
}

/** One list for the round, a call a line. */
export function renderCalls(calls: readonly PastCall[]): string {
  if (calls.length === 0) return '';
  return `<tool_calls>[\n${calls.map((call) => callObject(call, turnMarkers)).join(',\n')}\n]</tool_calls>`;
}

/** Each result as a JSON object in a block of its own. */
export function renderResults(results: readonly PastResult[]): string {
  return resultBlocks('tool_response', results);
}
