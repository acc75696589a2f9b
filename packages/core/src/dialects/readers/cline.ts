import type { ToolDefinition } from '../../chat/tool.ts';
import { turnMarkers } from '../../chat/turn-markers.ts';
import type { PastCall, ToolPrompt } from '../dialect.ts';
import { findExample, Mentions } from '../parser/documentation/mention.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { escapeJsonMarkers } from '../render/escape-json-markers.ts';
import { callRules, ruleList } from '../render/lesson.ts';
import { jsonMembers } from '../render/past-calls.ts';
import type { TableReader } from '../table/parts.ts';
import { tagOf } from './tag-names.ts';
import { exampleLabel, transformToolsToXML } from './tool-manual.ts';

const frames: readonly string[] = ['<tool_result>', '</tool_result>', '<tools>', '</tools>', ...turnMarkers];

/** The main argument in a result's heading is cut here, in UTF-16 units. */
const longestSubject = 80;

/** Names as tags, the manual that teaches them, and headings of results with the tool and its main argument. */
export const cline: TableReader = {
  tagOf,
  grammar: (form, { tools, policy }) => ({
    ...form,
    results: [...(form.results ?? []), ...resultHeadings(tools)],
    // A model that quotes the lesson calls nothing.
    mentions: () => new Mentions((before) => findExample(before, exampleLabel)),
    fold: (policy.names ?? 'exact') !== 'exact',
  }),
  markers: resultHeadings,
  lesson: writeLesson,
  resultText: ({ call, status, text }) => {
    const outcome = status === 'ok' ? 'Result' : 'Error';
    return `[${call.name}${subject(call)}] ${outcome}:\n<tool_result>\n${text}\n</tool_result>`;
  },
};

/** How calls are written, then the manual of the tools. Empty when there is nothing to teach. */
function writeLesson(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  if (tools.length === 0 || prompt.choice === 'none') return '';
  return `# Tools

You can call the tools described between <tools> and </tools>. To call one, write its name as a tag and each parameter as a tag inside it, as the tool's usage example shows:

<TOOL_NAME>
<PARAMETER>value</PARAMETER>
</TOOL_NAME>

${ruleList([
  ...callRules(prompt),
  'Leave out optional parameters that you do not need.',
  'Write strings as they are, without quotes and without escaping. A value of several lines starts on a new line, and its closing tag stands on a line of its own.',
  'Write objects, arrays, numbers and booleans as JSON.',
])}

In the descriptions &lt; stands for < and &amp; for &.

${transformToolsToXML(tools)}`;
}

/** How the headings of results begin, with and without a main argument: only we may write one. */
function resultHeadings(tools: readonly ToolDefinition[]): readonly string[] {
  const names = tools.map(({ name }) => name);
  return spellings(['['], names, ['] Result:', '] Error:', ' for "', " for '"]);
}

/** The first argument that is a string, so that equal calls can be told apart. */
function subject(call: PastCall): string {
  for (const { value } of jsonMembers(call.arguments) ?? []) {
    if (typeof value !== 'string' || value === '') continue;
    const short = value.length > longestSubject ? `${value.slice(0, longestSubject)}…` : value;
    return ` for ${escapeJsonMarkers(JSON.stringify(short), frames)}`;
  }
  return '';
}
