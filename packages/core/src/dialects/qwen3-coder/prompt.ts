import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { renderLesson, toolLines } from '../kit/render/lesson.ts';
import { resultBlocks } from '../kit/render/result-blocks.ts';
import { spacedOpeners } from '../kit/render/spaced-openers.ts';
import { type TaggedTextForm, taggedTexts, toolsBlock } from '../kit/render/tagged-text.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const all: readonly string[] = [
  '<tool_call>',
  '</tool_call>',
  '<function=',
  ...spacedOpeners('<function'),
  '</function>',
  '</function_invocation>',
  '<tool_response>',
  '</tool_response>',
  '<tools>',
  '</tools>',
  ...turnMarkers,
];

/** What would be read as markup inside a value. */
const valueMarkup = ['</parameter>', '<function=', '<function '];

const form: TaggedTextForm = {
  opener: (name) => `<tool_call>\n<function=${name}>`,
  parameter: (key, value) => `<parameter=${key}>${value}</parameter>`,
  closer: '</function>\n</tool_call>',
  markup: valueMarkup,
  padded: 'always',
};

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    ...toolsBlock(toolLines(tools, all)),
    form: `To call a tool, write a block of this form:

<tool_call>
<function=TOOL_NAME>
<parameter=PARAMETER>
value
</parameter>
</function>
</tool_call>`,
    rules: [
      'Every call has its own <tool_call> block with one <function=…> in it, and every parameter its own <parameter=…>.',
      'A value stands on lines of its own between its tags. Write strings as they are, without quotes and without escaping; write objects, arrays, numbers and booleans as JSON.',
    ],
  }));
}

/** One block for each call, each value on lines of its own. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  return taggedTexts(calls, tools, form).join('\n');
}

/** One response for each result, as in the model's own template. */
export function renderResults(results: readonly PastResult[]): string {
  return resultBlocks(results);
}
