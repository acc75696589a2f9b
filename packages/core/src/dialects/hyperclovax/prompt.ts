import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { callList } from '../kit/render/json-list.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const all: readonly string[] = [
  'assistant -> tool/function_call',
  // The prompt opens a message with its role: a reply may begin behind it.
  '-> tool/function_call',
  '<|im_start|>tool/function_call',
  // Where servers leave out tokens, a result begins with its role alone.
  'tool/function_call\n',
  '<|im_start|>assistant/think',
  '<|im_start|>assistant',
  '<|stop|>',
  '<|endofturn|>',
  ...turnMarkers,
];

/** The same for all tools: a call is opened by its role, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** The list of the template's `tool_list` turn, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools in this list, which describes each with the JSON Schema of its parameters:',
    tools: `[${tools.map((tool) => escapeJsonMarkers(JSON.stringify(functionFields(tool)), all)).join(',\n')}]`,
    form: `To call tools, end your message and write another one under the role \`assistant -> tool/function_call\`, with a JSON list of all calls:

<|im_end|>
<|im_start|>assistant -> tool/function_call
[{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}]`,
    rules: ['The list is valid JSON, and nothing follows it.'],
  }));
}

/** One list for the round, in a message of its own behind the end of the message before it. */
export function renderCalls(calls: readonly PastCall[]): string {
  if (calls.length === 0) return '';
  return `<|im_end|>\n<|im_start|>assistant -> tool/function_call\n${callList(calls, all)}`;
}

/** One message for each result. */
export function renderResults(results: readonly PastResult[]): string {
  return results.map((result) => `<|im_start|>tool/function_call\n${resultLine(result)}<|im_end|>`).join('\n');
}
