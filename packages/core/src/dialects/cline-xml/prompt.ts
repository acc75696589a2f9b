import type { ToolDefinition } from '../../chat/tool.ts';
import { SchemaView } from '../../json/schema.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { callRules, ruleList } from '../kit/render/instructions.ts';
import { jsonMembers } from '../kit/render/json-members.ts';
import { writeTextValue } from '../kit/render/text-value.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { spellings } from '../kit/spellings.ts';
import { tagOf } from './tag-names.ts';
import { transformToolsToXML } from './tool-manual.ts';

const resultOpener = '<tool_result>';
const resultCloser = '</tool_result>';

const frames: readonly string[] = [resultOpener, resultCloser, '<tools>', '</tools>', ...turnMarkers];

/** The main argument in a result's heading is cut here, in UTF-16 units. */
const longestSubject = 80;

/** The tags of these tools, and the frames. Parameters open nothing by themselves: their tags stay as they are. */
export function markers(tools: readonly ToolDefinition[]): readonly string[] {
  const tags = tools.map((tool) => tagOf(tool.name));
  const own = tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}/>`, `<${tag} />`]);
  return [...own, ...resultHeadings(tools), ...frames];
}

/** How calls are written, then the manual of the tools. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
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

/** One tag block for each call. Arguments that are no object stand as they are in a parameter named `arguments`. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  const schemas = new Map(tools.map((tool) => [tool.name, SchemaView.of(tool.inputSchema)]));
  const openers = tools.map((tool) => `<${tagOf(tool.name)}>`);
  return calls.map((call) => renderCall(call, schemas.get(call.name) ?? SchemaView.any, openers)).join('\n');
}

function renderCall(call: PastCall, schema: SchemaView, openers: readonly string[]): string {
  const tag = tagOf(call.name);
  const members = jsonMembers(call.arguments) ?? [{ key: 'arguments', json: JSON.stringify(call.arguments) }];
  if (members.length === 0) return `<${tag}></${tag}>`;
  const lines = members.map((member) => {
    const name = tagOf(member.key);
    const form = { schema: schema.property(member.key), markup: [`</${name}>`, ...openers], padded: 'lines' } as const;
    return `<${name}>${writeTextValue(member, form)}</${name}>`;
  });
  return [`<${tag}>`, ...lines, `</${tag}>`].join('\n');
}

/** A heading with the tool and its main argument, then the output in a frame. */
export function renderResults(results: readonly PastResult[]): string {
  return results
    .map(({ call, status, text }) => {
      const outcome = status === 'ok' ? 'Result' : 'Error';
      return `[${call.name}${subject(call)}] ${outcome}:\n${resultOpener}\n${text}\n${resultCloser}`;
    })
    .join('\n\n');
}

/** How the headings of results begin, with and without a main argument: only we may write one. */
export function resultHeadings(tools: readonly ToolDefinition[]): readonly string[] {
  const names = tools.map(({ name }) => name);
  return spellings(['['], names, ['] Result:', '] Error:', ' for "', " for '"]);
}

/** The first argument that is a string, so that equal calls can be told apart. */
function subject(call: PastCall): string {
  for (const { json } of jsonMembers(call.arguments) ?? []) {
    const value: unknown = json.startsWith('"') ? JSON.parse(json) : undefined;
    if (typeof value !== 'string' || value === '') continue;
    const short = value.length > longestSubject ? `${value.slice(0, longestSubject)}…` : value;
    return ` for ${escapeJsonMarkers(JSON.stringify(short), frames)}`;
  }
  return '';
}
