import type { SeenResult } from './read-results.ts';
import { isFiller, stemsOf } from './words.ts';

/** How much of a result is quoted: its first lines, and later ones that share words with the request. */
const firstLines = 4;
const matchingLines = 2;
const longestLine = 200;

export interface Quoting {
  readonly label: string;
  /** Stems of the request's words: lines that hold them are worth quoting. */
  readonly hints: ReadonlySet<string>;
}

/** A result in a few quoted lines, with its length; a failed one with its message. */
export function quoteResult({ text, failed }: SeenResult, { label, hints }: Quoting): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return `${label}: nothing came back.`;
  if (failed) return `${label} failed:\n${quote(lines.slice(0, firstLines))}`;
  const begin = lines.slice(0, firstLines);
  const matching = lines
    .slice(firstLines)
    .filter((line) => matches(line, hints))
    .slice(0, matchingLines);
  const rest = lines.length - begin.length - matching.length;
  const parts = [`${label}, ${lines.length === 1 ? 'one line' : `${lines.length} lines`}:`, quote(begin)];
  if (matching.length > 0) parts.push('Also about your question:', quote(matching));
  if (rest > 0) parts.push(`(${rest} more ${rest === 1 ? 'line' : 'lines'})`);
  return parts.join('\n');
}

function matches(line: string, hints: ReadonlySet<string>): boolean {
  return stemsOf(line.slice(0, longestLine)).some((word) => word.length > 2 && !isFiller(word) && hints.has(word));
}

function quote(lines: readonly string[]): string {
  return lines.map((line) => `> ${shorten(line)}`).join('\n');
}

function shorten(line: string): string {
  if (line.length <= longestLine) return line;
  const last = line.charCodeAt(longestLine - 1);
  return `${line.slice(0, last >= 0xd800 && last <= 0xdbff ? longestLine - 1 : longestLine)}…`;
}
