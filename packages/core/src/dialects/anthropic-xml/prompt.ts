import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { invokeTags, rawValueRule, taggedTexts, toolsBlock } from '../kit/render/tagged-text.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { spellings } from './spellings.ts';

/** What would be read as markup inside a value. */
const valueMarkup = [...spellings('</', 'parameter>'), ...spellings('<', 'invoke')];

const all: readonly string[] = [
  ...spellings('<', 'function_calls>'),
  ...spellings('</', 'function_calls>'),
  // Without the white space behind it: a message whose text comes in parts gets that only when they are joined.
  ...spellings('<', 'invoke'),
  ...spellings('</', 'invoke>'),
  ...spellings('<', 'function_results>'),
  ...spellings('</', 'function_results>'),
  '<functions>',
  '</functions>',
  '</stdout>',
  '</error>',
  ...turnMarkers,
];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** One JSON object for each tool, a line each, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    ...toolsBlock(
      tools.map((tool) => `<function>${functionLine(tool)}</function>`),
      'functions',
    ),
    form: `To call tools, write a block of this form:

<function_calls>
<invoke name="TOOL_NAME">
<parameter name="PARAMETER">value</parameter>
</invoke>
</function_calls>`,
    rules: ['All calls of a reply stand in one <function_calls> block, each in its own <invoke>.', rawValueRule],
  }));
}

function functionLine(tool: ToolDefinition): string {
  return escapeJsonMarkers(JSON.stringify(functionFields(tool)), [...all, '<function>', '</function>']);
}

/** One block for the round. Arguments that are no object stand as they are in a parameter named `arguments`. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  if (calls.length === 0) return '';
  const written = taggedTexts(calls, tools, { ...invokeTags(), markup: valueMarkup });
  return `<function_calls>\n${written.join('\n')}\n</function_calls>`;
}

/** One `<result>` for each call: what it printed, or its error. */
export function renderResults(results: readonly PastResult[]): string {
  const blocks = results.map(({ call, status, text }) => {
    const tag = status === 'ok' ? 'stdout' : 'error';
    return `<result>\n<tool_name>${call.name}</tool_name>\n<${tag}>${text}</${tag}>\n</result>`;
  });
  return `<function_results>\n${blocks.join('\n')}\n</function_results>`;
}
