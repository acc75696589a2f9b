import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { tokenTagCalls, tokenTagExample, tokenTagRules } from '../kit/render/token-tags.ts';
import { spellings } from '../kit/spellings.ts';
import { strippedTags } from '../kit/token-tags.ts';
import { sections, tags } from './tags.ts';

const form = { word: 'DSML', section: 'function_calls' };
const sectionTags = spellings(sections, ['>']);

const all: readonly string[] = [
  ...tags('<', [...sectionTags, 'invoke', 'parameter']),
  ...tags('</', [...sectionTags, 'invoke>', 'parameter>']),
  ...strippedTags(sections),
  ...spellings(['<', '</'], ['functions>', 'function_results>', 'result>', 'tool_result>']),
  ...spellings(['<｜'], ['User', 'Assistant', 'begin▁of▁sentence', 'end▁of▁sentence'], ['｜>']),
];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro:
      'You can call the tools below. Each line between <functions> and </functions> describes one tool as JSON, with the JSON Schema of its parameters.',
    tools: `<functions>\n${tools.map((tool) => escapeJsonMarkers(JSON.stringify(functionFields(tool)), all)).join('\n')}\n</functions>`,
    form: `To call tools, write a block of this form:\n\n${tokenTagExample(form)}`,
    rules: tokenTagRules,
  }));
}

/** One block for the round. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  return tokenTagCalls(calls, { tools, form });
}

/** One block with a result for each call, in their order. */
export function renderResults(results: readonly PastResult[]): string {
  const blocks = results.map((result) => `<result>${resultLine(result)}</result>`);
  return `<function_results>\n${blocks.join('\n')}\n</function_results>`;
}
