import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { bareJsonMarkers } from '../kit/render/bare-markers.ts';
import { renderLesson, toolLines } from '../kit/render/lesson.ts';
import { pastArguments } from '../kit/render/past-arguments.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { toolsBlock } from '../kit/render/tagged-text.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';

const fence = '```';

const all: readonly string[] = [
  '```tool_call',
  '<tool_result ',
  '</tool_result>',
  '<tools>',
  '</tools>',
  ...turnMarkers,
];

/** `json` fences are part of what users and tools write: what makes a call of one is the name of a tool. */
export function markers(tools: readonly ToolDefinition[]): readonly string[] {
  return [...all, ...bareJsonMarkers(tools)];
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    ...toolsBlock(toolLines(tools, all)),
    form: `To call tools, write one code fence with a JSON list of all calls:

${fence}json
[{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}]
${fence}`,
    rules: ['All calls of a reply stand in one fence, and the list is valid JSON.'],
  }));
}

/** One fence for the round. */
export function renderCalls(calls: readonly PastCall[]): string {
  if (calls.length === 0) return '';
  const list = calls.map((call) => {
    return `{"name": ${JSON.stringify(call.name)}, "arguments": ${pastArguments(call, all)}}`;
  });
  return `${fence}json\n[${list.join(',\n')}]\n${fence}`;
}

/** One block for each result. */
export function renderResults(results: readonly PastResult[]): string {
  return results
    .map((result) => `<tool_result name=${JSON.stringify(result.call.name)}>\n${resultLine(result)}\n</tool_result>`)
    .join('\n');
}
