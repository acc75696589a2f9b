import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { callList, resultObjects } from '../kit/render/json-list.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const controls: readonly string[] = ['<SPECIAL_10>', '<SPECIAL_11>', '<SPECIAL_12>', ...turnMarkers];
const own = ['TOOLCALL', 'TOOL_RESPONSE', 'AVAILABLE_TOOLS'].flatMap((tag) => [`<${tag}>`, `</${tag}>`]);
const all: readonly string[] = [...own, ...controls];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/**
 * A JSON list of the tools, then the form of a call. The model's own template doubles the braces and shows arguments as a
 * string; this says what it means. Empty when there is nothing to teach.
 */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:',
    tools: `<AVAILABLE_TOOLS>[${tools.map((tool) => escapeJsonMarkers(JSON.stringify(functionFields(tool)), all)).join(', ')}]</AVAILABLE_TOOLS>`,
    form: `To call tools, write one JSON list of all calls between <TOOLCALL> and </TOOLCALL>:

<TOOLCALL>[{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}]</TOOLCALL>`,
    rules: ['The list is valid JSON, and the arguments are an object, not a string.'],
  }));
}

/** One list for the round. */
export function renderCalls(calls: readonly PastCall[]): string {
  return calls.length === 0 ? '' : `<TOOLCALL>${callList(calls, controls)}</TOOLCALL>`;
}

/** One list for the round, each result a JSON object in it. */
export function renderResults(results: readonly PastResult[]): string {
  return results.length === 0 ? '' : `<TOOL_RESPONSE>[${resultObjects(results).join(', ')}]</TOOL_RESPONSE>`;
}
