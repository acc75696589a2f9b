import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { quotedName } from '../kit/render/quoted-name.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { invokeTags, rawValueRule, taggedTexts } from '../kit/render/tagged-text.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { bareHeader, messageEnd } from './headers.ts';

const all: readonly string[] = [
  '<|start|>',
  '<|message|>',
  messageEnd,
  '<|eot|>',
  '<|end_of_text|>',
  bareHeader('self'),
  bareHeader('user'),
  '<atem:function_calls>',
  '</atem:function_calls>',
  '<atem:invoke',
  '</atem:invoke>',
  '<tool_output',
  '</tool_output>',
  ...turnMarkers,
];

/** What would be read as markup inside a value. */
const valueMarkup = ['</atem:parameter>', '<atem:invoke'];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro:
      'You can call the tools below. Each line describes one tool as JSON, with the JSON Schema of its parameters.',
    tools: tools.map((tool) => escapeJsonMarkers(JSON.stringify(functionFields(tool)), all)).join('\n'),
    form: `To call a tool, write a message to it with a block of this form:

<|start|>assistant to=TOOL_NAME<|message|><atem:function_calls>
<atem:invoke name="TOOL_NAME">
<atem:parameter name="PARAMETER">value</atem:parameter>
</atem:invoke>
</atem:function_calls>`,
    rules: [
      'Every call is a message of its own. Valid recipients are self for your thinking, the tools, and user for your answer.',
      rawValueRule,
    ],
  }));
}

/** One message for each call. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  return calls
    .map((call) => {
      const invoke = taggedTexts([call], tools, { ...invokeTags('atem:'), markup: valueMarkup }).join('');
      return `<|start|>assistant ${bareHeader(call.name)}<atem:function_calls>\n${invoke}\n</atem:function_calls>`;
    })
    .join(messageEnd);
}

/** One output for each result, in the order of their calls. */
export function renderResults(results: readonly PastResult[]): string {
  return results
    .map((result) => `<tool_output name=${quotedName(result.call.name)}>\n${resultLine(result)}\n</tool_output>`)
    .join('\n');
}
