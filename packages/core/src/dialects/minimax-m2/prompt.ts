import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { defuseJson } from '../kit/render/defuse-json.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { pastParameters, pastText } from '../kit/render/past-arguments.ts';
import { quotedName } from '../kit/render/quoted-name.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const all: readonly string[] = [
  '<minimax:tool_call>',
  '</minimax:tool_call>',
  '<invoke',
  '</invoke>',
  '<response>',
  '</response>',
  '<tools>',
  '</tools>',
  '<tool>',
  '</tool>',
  ']~!b[',
  ']~b]',
  '[e~[',
  ...turnMarkers,
];

/** What would be read as markup inside a value. */
const valueMarkup = ['</parameter>', '<invoke'];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro:
      'You can call the tools below. Each line between <tools> and </tools> describes one tool as JSON, with the JSON Schema of its parameters.',
    tools: `<tools>\n${tools.map((tool) => `<tool>${defuseJson(JSON.stringify(functionFields(tool)), all)}</tool>`).join('\n')}\n</tools>`,
    form: `To call tools, write a block of this form:

<minimax:tool_call>
<invoke name="TOOL_NAME">
<parameter name="PARAMETER">value</parameter>
</invoke>
</minimax:tool_call>`,
    rules: [
      'All calls of a reply stand in one <minimax:tool_call> block, each in its own <invoke>.',
      'Write strings as they are, without quotes and without escaping; white space counts. Write objects, arrays, numbers and booleans as JSON.',
    ],
  }));
}

/** One block for the round. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  if (calls.length === 0) return '';
  const blocks = calls.map((call) => {
    const lines = pastParameters(call, tools).map(
      (parameter) =>
        `<parameter name=${quotedName(parameter.key)}>${pastText(parameter, { markup: valueMarkup })}</parameter>`,
    );
    return [`<invoke name=${quotedName(call.name)}>`, ...lines, '</invoke>'].join('\n');
  });
  return `<minimax:tool_call>\n${blocks.join('\n')}\n</minimax:tool_call>`;
}

/** One response for each result, in the order of their calls. */
export function renderResults(results: readonly PastResult[]): string {
  return results.map((result) => `<response>${resultLine(result)}</response>`).join('\n');
}
