import type { ToolDefinition } from '../../chat/tool.ts';
import type { PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from '../kit/render/escape-json-markers.ts';
import { functionFields } from '../kit/render/function-json.ts';
import { renderLesson } from '../kit/render/lesson.ts';
import { type PastParameter, pastParameters } from '../kit/render/past-arguments.ts';
import { resultLine } from '../kit/render/result-line.ts';
import { turnMarkers } from '../kit/render/turn-markers.ts';
import { spellings } from '../kit/spellings.ts';
import { cdataOpen } from '../kit/value-end.ts';
import { escapeAttribute } from './attribute.ts';

const all: readonly string[] = [
  ...spellings(['<|open|>', '<|close|>'], ['tools', 'response', 'think', 'message'], ['<|sep|>']),
  '<|open|>',
  '<|close|>',
  '<|sep|>',
  '<|end_of_msg|>',
  ...turnMarkers,
];

/** What would be read as markup inside a string that stands as it is. */
const valueMarkup = ['<|open|>', '<|close|>', '<|sep|>', cdataOpen];

/** The same for all tools: a call is opened by its marker, never by a tool's name. */
export function markers(): readonly string[] {
  return all;
}

/** The JSON list of a `tool-declare` message, its keys in order, then the form of a call. Empty when there is nothing to teach. */
export function renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string {
  return renderLesson(tools, prompt, () => ({
    intro: 'You can call the tools in this list, which describes each with the JSON Schema of its parameters:',
    tools: `\`\`\`json\n${toolList(tools)}\n\`\`\``,
    form: `To call tools, end your reply with one element that holds every call:

<|open|>tools<|sep|><|open|>call tool="TOOL_NAME" index="1"<|sep|><|open|>argument key="PARAMETER" type="string"<|sep|>value<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
    rules: [
      'The index counts the calls of one reply, from 1. A type is string, number, boolean, object, array or null.',
      'A string stands as it is, any other value as JSON.',
    ],
  }));
}

function toolList(tools: readonly ToolDefinition[]): string {
  const list = tools.map((tool) => ordered({ type: 'function', function: functionFields(tool) }));
  return escapeJsonMarkers(JSON.stringify(list), [...all, '```']);
}

/** The same JSON value with the keys of every object in order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, ordered(inner)]));
}

/** One element for the round. */
export function renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string {
  if (calls.length === 0) return '';
  const written = calls.map((call, index) => {
    const head = `<|open|>call tool="${escapeAttribute(call.name)}" index="${index + 1}"<|sep|>`;
    return `${head}${renderArguments(pastParameters(call, tools))}<|close|>call<|sep|>`;
  });
  return `<|open|>tools<|sep|>${written.join('')}<|close|>tools<|sep|>`;
}

/** One element for each argument; all of them as one JSON element where a string holds markup, which only JSON can escape. */
function renderArguments(parameters: readonly PastParameter[]): string {
  const texts = parameters.map(({ json }) => JSON.parse(json)).filter((value) => typeof value === 'string');
  if (texts.some((text) => valueMarkup.some((literal) => text.includes(literal)))) {
    const members = parameters.map(({ key, json }) => `${JSON.stringify(key)}:${json}`);
    const object = escapeJsonMarkers(`{${members.join(',')}}`, valueMarkup);
    return `<|open|>json type="object"<|sep|>${object}<|close|>json<|sep|>`;
  }
  return parameters.map(renderArgument).join('');
}

function renderArgument({ key, json }: PastParameter): string {
  const value: unknown = JSON.parse(json);
  const written = typeof value === 'string' ? value : escapeJsonMarkers(json, valueMarkup);
  const head = `<|open|>argument key="${escapeAttribute(key)}" type="${typeOf(value)}"<|sep|>`;
  return `${head}${written}<|close|>argument<|sep|>`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** One message for each result, in the order of their calls. */
export function renderResults(results: readonly PastResult[]): string {
  return results
    .map((result, index) => {
      const head = `<|open|>message role="tool" tool="${escapeAttribute(result.call.name)}" index="${index + 1}"<|sep|>`;
      return `${head}${resultLine(result)}<|close|>message<|sep|>`;
    })
    .join('<|end_of_msg|>');
}
