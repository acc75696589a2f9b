import type { ToolCall } from '@dragoman/core';
import { wordsOf } from './words.ts';

/** The longest line that can be a heading. */
export const longestHeading = 400;

/**
 * Cuts a text at the headings of its results, one for each call in order. What the first line has in front of the tool's
 * name or its number is taken for the form of all headings. Undefined when the text does not have that form.
 */
export function splitHeadings(text: string, calls: readonly ToolCall[]): string[] | undefined {
  if (calls.length < 2) return undefined;
  const lines = text.trimStart().split('\n');
  const [first] = calls;
  const form = first === undefined ? undefined : headingForm(lines, first.name);
  if (form === undefined) return undefined;
  const starts: number[] = [];
  for (let at = 0; at < lines.length && starts.length < calls.length; at += 1) {
    const call = calls[starts.length];
    const line = lines[at] ?? '';
    if (call === undefined || line.length > longestHeading || !line.startsWith(form)) continue;
    const rest = line.slice(form.length);
    if (rest.startsWith(call.name) || rest.startsWith(String(starts.length + 1))) starts.push(at);
  }
  if (starts.length !== calls.length) return undefined;
  return starts.map((start, index) => lines.slice(start, starts[index + 1] ?? lines.length).join('\n'));
}

/** What stands in front of the first tool's name, or in front of a number if the next line has the name. */
function headingForm(lines: readonly string[], name: string): string | undefined {
  const line = (lines[0] ?? '').slice(0, longestHeading);
  const at = line.indexOf(name);
  const number = line.indexOf('1');
  if (number !== -1 && (at === -1 || number < at))
    return lines[1]?.includes(name) || at !== -1 ? line.slice(0, number) : undefined;
  if (at === -1) return undefined;
  return at > 0 || isFrameLine(line) ? line.slice(0, at) : undefined;
}

const frameWords = new Set(['result', 'results', 'return', 'response', 'output', 'called', 'call', 'error']);

/** Whether a line looks like a frame around a result: short, in brackets or a heading or ended by a colon, and about a result. */
export function isFrameLine(line: string): boolean {
  const text = line.trim();
  const isFramed = text.startsWith('[') || text.startsWith('#') || text.endsWith(':') || text.startsWith('---');
  if (!isFramed || text.length > longestHeading) return false;
  return wordsOf(text).some((word) => frameWords.has(word.text.toLowerCase()));
}

/** Whether a heading ends with the word that its call failed; a file's name in it may hold that word too. */
export function isFailureHeading(line: string): boolean {
  const quoted = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'"), line.lastIndexOf('}'));
  return isFrameLine(line) && saysFailed(line.slice(Math.max(quoted, line.length - 30)));
}

const fieldNames = new Set([
  'arguments',
  'args',
  'status',
  'id',
  'tool',
  'tool call',
  'tool call id',
  'call id',
  'tool name',
  'name',
]);
const bodyNames = new Set(['result', 'output', 'content', 'error']);

/** Takes the frame's lines off both ends of a result, and reads from them whether it failed. */
export function stripFrameLines(text: string): { readonly body: string; readonly failed: boolean } {
  const lines = text.split('\n');
  let failed = false;
  let from = 0;
  let framed = false;
  for (; from < lines.length; from += 1) {
    const line = lines[from] ?? '';
    const { name, value } = fieldOf(line);
    if (line.trim() === '') continue;
    if (framed && bodyNames.has(name)) {
      failed ||= name === 'error';
      lines[from] = value;
      if (value === '') from += 1;
      break;
    }
    if (name === 'status') failed ||= saysFailed(value);
    else if (isFrameLine(line) && (from === 0 || framed)) failed ||= isFailureHeading(line);
    else if (!fieldNames.has(name) || !framed) break;
    framed = true;
  }
  let to = lines.length;
  while (to > from && framed && isClosingLine(lines[to - 1] ?? '')) to -= 1;
  return { body: trimLineBreaks(lines.slice(from, to).join('\n')), failed };
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon === -1 || colon > 30) return { name: '', value: '' };
  return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
}

function saysFailed(text: string): boolean {
  return wordsOf(text.slice(0, longestHeading)).some((word) =>
    ['error', 'failed', 'missing'].includes(word.text.toLowerCase()),
  );
}

function isClosingLine(line: string): boolean {
  const text = line.trim();
  return text === '' || text === '---' || (text.startsWith('[') && text.endsWith(']') && isFrameLine(text));
}

function trimLineBreaks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text[from] === '\n') from += 1;
  while (to > from && text[to - 1] === '\n') to -= 1;
  return text.slice(from, to);
}
