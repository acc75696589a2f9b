import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { renderLesson, toolLines } from '../kit/render/lesson.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { rawValueRule, type TaggedTextForm, taggedTexts } from '../kit/render/tagged-text.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { spellings } from '../kit/spellings.ts';

const all: readonly string[] = [
  ...spellings(['<|'], ['tool', 'tool_call', 'tool_arg', 'tool_response', 'think', 'im'], [':start|>', ':end|>']),
  '<|tool_arg:value|>',
  '<|im:content|>',
  ...turnMarkers,
];

/** What would be read as markup inside a value. */
const valueMarkup = ['<|tool_arg:end|>', '<|tool_call:start|>'];

const form: TaggedTextForm = {
  opener: (name) => `<|tool_call:start|>${name}`,
  parameter: (key, value) => `<|tool_arg:start|>${key}<|tool_arg:value|>${value}<|tool_arg:end|>`,
  closer: '<|tool_call:end|>',
  markup: valueMarkup,
};

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, each between its tokens, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools below. Each is described as JSON, with the JSON Schema of its parameters.',
    tools: toolLines(tools, all)
      .map((line) => `<|tool:start|>${line}<|tool:end|>`)
      .join('\n'),
    form: `To call a tool, write its name and then each argument on a line of its own:

<|tool_call:start|>TOOL_NAME
<|tool_arg:start|>PARAMETER<|tool_arg:value|>value<|tool_arg:end|>
<|tool_call:end|>`,
    rules: ['Every call stands between its own markers.', rawValueRule],
  }));
}

/** One block for each call. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  return taggedTexts(calls, tools, form).join('\n');
}

/** One response for each result. */
export function renderResults(results: readonly PastResult[]): string {
  return results.map((result) => `<|tool_response:start|>${resultLine(result)}<|tool_response:end|>`).join('\n');
}
