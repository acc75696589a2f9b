import type { Dialect, PastCall, ToolCall, ToolDefinition } from '@dragoman/core';
import { isRecord } from '../../../is-record.ts';
import type { AnsweredRequest } from './read-prompt.ts';
import { parsed } from './read-tools.ts';

interface CallWriting {
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

/** How much of a result is quoted. */
const quotedLines = 4;
const longestLine = 200;
const longestList = 400;

/** An answer that quotes the beginning of each result, and says which calls failed. */
export function writeAnswer({ calls, results }: AnsweredRequest): string {
  const failed = results.filter((result) => result.failed).length;
  const quotes = results.map((result, index) => {
    const lines = result.text.split('\n').filter((line) => line.trim() !== '');
    const quoted = lines.slice(0, quotedLines).map((line) => `> ${oneLine(line, longestLine)}`);
    const call = results.length === calls.length ? calls[index] : undefined;
    const label = call === undefined ? `Result ${index + 1}` : `${mainArgument(call) ?? 'All'} (${call.name})`;
    return [`${label}${result.failed ? ' failed' : ''}:`, ...quoted].join('\n');
  });
  const all = failed === 0 ? 'I have the results.' : `${failed} of ${results.length} calls failed.`;
  return [all, ...quotes].join('\n\n');
}

/** What is said without a call: what this is, what it saw, and what it could do. */
export function writePlainAnswer(request: string, tools: readonly ToolDefinition[]): string {
  const saw = request === '' ? 'I see no request.' : `You said: ${oneLine(request, longestLine)}`;
  const names = oneLine(enumerate(tools.map((tool) => tool.name)), longestList);
  const could =
    tools.length === 0
      ? 'No tools are described to me here.'
      : `I can call ${names}, but none of them fits these words.`;
  return `I am a small demo model without any knowledge: I pick tools by their words and quote their results. ${saw}\n\n${could}`;
}

/** The first short string of a call's arguments: the path, address or command that tells calls apart. */
function mainArgument(call: ToolCall): string | undefined {
  const values = parsed(call.arguments);
  const text = isRecord(values) ? Object.values(values).find((item) => typeof item === 'string' && item !== '') : '';
  return typeof text === 'string' && text !== '' ? oneLine(text, 80) : undefined;
}

const enumerate = (items: readonly string[]): string => new Intl.ListFormat('en').format(items);

/** The beginning of a text on one line. No character is cut in half. */
function oneLine(text: string, most: number): string {
  const line = [...text.slice(0, most + 1).replaceAll(/[\r\n]+/g, ' ')];
  return text.length > most ? `${line.slice(0, -1).join('')}…` : line.join('');
}
