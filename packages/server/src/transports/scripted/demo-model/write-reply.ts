import type { Dialect, PastCall, ToolCall, ToolDefinition } from '@dragoman/core';
import { isRecord } from '../../../is-record.ts';
import type { AnsweredRequest, SeenResult } from './read-prompt.ts';
import { parsed } from './read-tools.ts';

export interface CallWriting {
  readonly dialect: Dialect;
  readonly tools: readonly ToolDefinition[];
  readonly request: string;
  /** Calls already made for this request. */
  readonly done: number;
}

/** A sentence on what comes next and the calls in the dialect. A request that says "think" gets reasoning first. */
export function writeCalls(calls: readonly PastCall[], { dialect, tools, request, done }: CallWriting): string {
  const named = calls.map((call) => [call.name, mainArgument(call)].filter(Boolean).join(' for '));
  const sentence = `${done === 0 ? "I'll" : "Next I'll"} call ${enumerate(named)}.`;
  const reply = `${sentence}\n\n${dialect.renderCalls(calls, tools)}`;
  if (!request.toLowerCase().includes('think')) return reply;
  // Models of the XML dialects write `<thinking>`, the others `<think>`.
  const tag = dialect.id.endsWith('-xml') ? 'thinking' : 'think';
  return `<${tag}>\nThe request fits ${enumerate(named)}.\n</${tag}>\n\n${reply}`;
}

/** An answer that quotes each result and names the calls that failed. */
export function writeAnswer({ calls, results }: AnsweredRequest): string {
  const count = results.length;
  const failed = results.filter((result) => result.failed).length;
  const all = count === 1 ? 'the result' : count === 2 ? 'both results' : `all ${count} results`;
  const some = failed === count ? 'The calls failed.' : `${failed} of ${count} calls failed.`;
  const quotes = results.map((result, index) => {
    const call = count === calls.length ? calls[index] : undefined;
    return quoteResult(result, call === undefined ? `Result ${index + 1}` : labelOf(call));
  });
  return [failed === 0 ? `I have ${all}.` : some, ...quotes].join('\n\n');
}

function labelOf(call: ToolCall): string {
  const object = mainArgument(call);
  return object === undefined ? call.name : `${object} (${call.name})`;
}

/** How much of a result is quoted. */
const quotedLines = 4;
const longestLine = 200;

/** The beginning of a result in quoted lines, with its length; a failed one with its message. */
function quoteResult({ text, failed }: SeenResult, label: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return `${label}: nothing came back.`;
  const quoted = lines.slice(0, quotedLines).map((line) => `> ${oneLine(line, longestLine)}`);
  if (failed) return [`${label} failed:`, ...quoted].join('\n');
  const rest = lines.length - quoted.length;
  const more = rest > 0 ? [`(${rest} more ${rest === 1 ? 'line' : 'lines'})`] : [];
  return [`${label}, ${lines.length === 1 ? 'one line' : `${lines.length} lines`}:`, ...quoted, ...more].join('\n');
}

/** What is said without a call: what this is, what it saw, and what it could do. */
export function writePlainAnswer(request: string, tools: readonly ToolDefinition[]): string {
  const saw = request === '' ? 'I see no request.' : `You said: ${oneLine(request, longestLine)}`;
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
  const values = parsed(call.arguments);
  const text = isRecord(values) ? Object.values(values).find((item) => typeof item === 'string' && item !== '') : '';
  return typeof text === 'string' && text !== '' ? oneLine(text, 80) : undefined;
}

function enumerate(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** The beginning of a text on one line. No character is cut in half. */
function oneLine(text: string, most: number): string {
  const line = [
    ...text
      .slice(0, most + 1)
      .replaceAll('\r', '')
      .replaceAll('\n', ' '),
  ];
  return text.length > most ? `${line.slice(0, -1).join('')}…` : line.join('');
}
