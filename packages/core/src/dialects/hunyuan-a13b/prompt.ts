import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { callList, resultBlocks, toolList } from '../kit/render/json-list.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const tags = ['tool_calls', 'tool_call', 'tool_response', 'tool_responses', 'answer'];
const own = tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`]);
const all: readonly string[] = [...own, '<|startoftext|>', '<|extra_0|>', '<|extra_4|>', '<|eos|>', ...turnMarkers];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON list of the tools, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:',
    tools: toolList(tools, all),
    form: `To call tools, write one JSON list of all calls between <tool_calls> and </tool_calls>:

<tool_calls>[{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}]</tool_calls>`,
    rules: ['Every reply has at most one list, and it is valid JSON.'],
  }));
}

/** One list for the round. */
export function renderCalls(calls: readonly PastCall[]): string {
  return calls.length === 0 ? '' : `<tool_calls>${callList(calls, turnMarkers)}</tool_calls>`;
}

/** Each result as a JSON object in a block of its own. */
export function renderResults(results: readonly PastResult[]): string {
  return resultBlocks('tool_response', results);
}
