import type { Dialect, PastCall, ToolCall, ToolDefinition } from '@dragoman/core';
import { isRecord } from '../is-record.ts';
import { quoteResult } from './quote-result.ts';
import type { Exchange } from './read-conversation.ts';
import { stemsOf } from './words.ts';

export interface CallWriting {
  readonly dialect: Dialect;
  readonly tools: readonly ToolDefinition[];
  readonly request: string;
  /** Calls already made for this request. */
  readonly done: number;
}

/** A sentence on what comes next and the calls in the dialect. A request that says "think" gets reasoning first. */
export function writeCalls(calls: readonly PastCall[], { dialect, tools, request, done }: CallWriting): string {
  const plan = groupByName(calls);
  const sentence = `${done === 0 ? "I'll" : "Next I'll"} call ${plan}.`;
  const call = dialect.renderCalls(calls, tools);
  if (!stemsOf(request).includes('think')) return `${sentence}\n\n${call}`;
  const tag = reasoningTag(dialect);
  const thought = `The request fits ${plan}, because its words match what the tool says about itself.`;
  return `<${tag}>\n${thought}\n</${tag}>\n\n${sentence}\n\n${call}`;
}

/** Models of the XML dialects write `<thinking>`, the others `<think>`. */
function reasoningTag(dialect: Dialect): string {
  return dialect.id.endsWith('-xml') ? 'thinking' : 'think';
}

/** "read for a.txt and b.txt, and ls for src" */
function groupByName(calls: readonly ToolCall[]): string {
  const groups = new Map<string, string[]>();
  for (const call of calls) {
    const objects = groups.get(call.name) ?? [];
    const object = mainArgument(call);
    groups.set(call.name, object === undefined ? objects : [...objects, object]);
  }
  const parts = [...groups].map(([name, objects]) =>
    objects.length === 0 ? name : `${name} for ${enumerate(objects)}`,
  );
  return enumerate(parts);
}

/** An answer that quotes each result and names the calls that failed. */
export function writeAnswer({ request, calls, results }: Exchange, tools: readonly ToolDefinition[]): string {
  const failed = results.filter((result) => result.failed).length;
  const opening =
    failed === 0
      ? `I have ${results.length === 1 ? 'the result' : results.length === 2 ? 'both results' : `all ${results.length} results`}.`
      : failed === results.length
        ? 'The calls failed.'
        : `${failed} of ${results.length} calls failed.`;
  const hints = new Set(stemsOf(request));
  // Names of tools and objects are in the labels already; lines that repeat them say nothing new.
  const known = [...tools.map((tool) => tool.name), ...calls.map((call) => mainArgument(call) ?? '')];
  for (const text of known) for (const word of stemsOf(text)) hints.delete(word);
  const quotes = results.map((result, index) => {
    const call = results.length === calls.length ? calls[index] : undefined;
    return quoteResult(result, { label: labelOf(call, index), hints });
  });
  return [opening, ...quotes].join('\n\n');
}

function labelOf(call: ToolCall | undefined, index: number): string {
  if (call === undefined) return `Result ${index + 1}`;
  const object = mainArgument(call);
  return object === undefined ? call.name : `${object} (${call.name})`;
}

/** What is said without a call: what this is, what it saw, and what it could do. */
export function writePlainAnswer(request: string, tools: readonly ToolDefinition[]): string {
  const saw = request === '' ? 'I see no request.' : `You said: ${oneLine(request, 200)}`;
  const names = tools.slice(0, 20).map((tool) => tool.name);
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : '';
  const could =
    tools.length === 0
      ? 'No tools are described to me here.'
      : `I can call ${enumerate(names)}${more}, but none of them fits these words.`;
  return `I am a small demo model without any knowledge: I pick tools by their words and quote their results. ${saw}\n\n${could}`;
}

/** The first short string of a call's arguments: the path, address or command that tells calls apart. */
function mainArgument(call: ToolCall): string | undefined {
  try {
    const value: unknown = JSON.parse(call.arguments);
    if (!isRecord(value)) return undefined;
    const text = Object.values(value).find((item) => typeof item === 'string' && item !== '');
    return typeof text === 'string' ? oneLine(text, 80) : undefined;
  } catch {
    return undefined;
  }
}

function enumerate(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 2) return last;
  return `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** The beginning of a text on one line. */
function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most + 1)
    .replaceAll('\r', '')
    .split('\n')
    .join(' ');
  return line.length > most ? `${[...line.slice(0, most)].slice(0, -1).join('')}…` : line;
}
