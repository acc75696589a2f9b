import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { namedResultOpeners, namedResults } from '../kit/render/named-results.ts';
import { pastArguments } from '../kit/render/past-arguments.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { spellings } from '../kit/spellings.ts';

const all: readonly string[] = [
  ...spellings(['<', '</'], ['use_mcp_tool>', 'server_name>', 'tool_name>', 'arguments>']),
  ...turnMarkers,
];

/** All tools of a request stand on one server: what the model calls is known by the tool's name alone. */
const server = 'tools';

/** A call is opened by its marker, never by a tool's name; a result begins with it. */
export function markers(tools: readonly ToolDefinition[]): readonly string[] {
  return [...all, ...namedResultOpeners(tools)];
}

/** A heading for the server and for each tool, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools of this server. Each is described with the JSON Schema of its parameters.',
    tools: [`## Server name: ${server}`, ...tools.map(describe)].join('\n\n'),
    form: `To call a tool, end your reply with a block of this form:

<use_mcp_tool>
<server_name>${server}</server_name>
<tool_name>TOOL_NAME</tool_name>
<arguments>
{"PARAMETER": "VALUE"}
</arguments>
</use_mcp_tool>`,
    rules: ['Every call has its own <use_mcp_tool> block, and the arguments are a valid JSON object.'],
  }));
}

function describe({ name, description, inputSchema }: ToolDefinition): string {
  const text = description === undefined ? '' : `Description: ${escapeJsonMarkers(JSON.stringify(description), all)}\n`;
  return `### Tool name: ${name}\n${text}Input JSON schema: ${escapeJsonMarkers(JSON.stringify(inputSchema), all)}`;
}

/** One block for each call. */
export function renderCalls(calls: readonly PastCall[]): string {
  return calls
    .map((call) =>
      [
        '<use_mcp_tool>',
        `<server_name>${server}</server_name>`,
        `<tool_name>${call.name}</tool_name>`,
        `<arguments>\n${pastArguments(call, all)}\n</arguments>`,
        '</use_mcp_tool>',
      ].join('\n'),
    )
    .join('\n');
}

/** Each result under the name of its tool, plain. */
export function renderResults(results: readonly PastResult[]): string {
  return namedResults(results);
}
