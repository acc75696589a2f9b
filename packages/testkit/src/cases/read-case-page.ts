import type { ParseContext, ToolDefinition } from '@dragoman/core';
import { type Finding, mergeFindings } from './finding.ts';
import { readFinding } from './read-finding.ts';
import { readTools } from './read-tools.ts';

/** One example: what a model wrote and what a parser must find in it. */
export interface ParseCase {
  readonly name: string;
  /** Why the case exists. */
  readonly why: string;
  readonly context: ParseContext;
  /** The input stopped short: the parser's `end` is told so. */
  readonly cut: boolean;
  readonly output: string;
  readonly expected: readonly Finding[];
}

export interface CasePage {
  readonly title: string;
  readonly cases: readonly ParseCase[];
}

interface Fences {
  tools?: ToolDefinition[];
  context?: CaseContext;
  output?: string;
  expected?: Finding[];
}

type CaseContext = Omit<ParseContext, 'tools'> & { readonly cut?: boolean };

/**
 * Reads a page of cases; `README.md` beside this file has the notation. Throws, naming the `file`, the line and the case, on a
 * fence that is unknown, repeated, never closed or cannot be read, and on a case without `output` or `spans`.
 */
export function readCasePage(markdown: string, file?: string): CasePage {
  const lines = markdown.split('\n');
  const defaults: Fences = {};
  const cases: ParseCase[] = [];
  let title = '';
  let open: { at: number; name: string; why: string[]; fences: Fences } | undefined;
  const placed = <Read>(at: number, read: () => Read): Read => {
    try {
      return read();
    } catch (thrown) {
      const place = `${file === undefined ? 'line ' : `${file}:`}${at + 1}, ${open?.name ?? 'page head'}`;
      throw new Error(`${place}: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
  };
  const close = () => {
    if (open === undefined) return;
    const { at, name, why, fences } = open;
    cases.push(placed(at, () => toCase(name, { why, fences, defaults })));
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = fenceOf(line);
    if (fence !== undefined) {
      const end = lines.findIndex((other, index) => index > at && closes(other, fence.marks));
      placed(at, () => {
        if (end === -1) throw new Error('this fence is never closed');
        readFence(fence.word, lines.slice(at + 1, end).join('\n'), open?.fences ?? defaults);
      });
      at = end;
    } else if (line.startsWith('## ')) {
      close();
      open = { at, name: line.slice(3).trim(), why: [], fences: {} };
    } else if (line.startsWith('# ')) {
      title = line.slice(2).trim();
    } else if (line.trim() !== '') {
      open?.why.push(line.trim());
    }
  }
  close();
  return { title, cases };
}

/** The marks and the word of a line that opens a fence. */
function fenceOf(line: string): { marks: string; word: string } | undefined {
  const mark = line[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 0;
  while (line[length] === mark) length += 1;
  return length < 3 ? undefined : { marks: line.slice(0, length), word: line.slice(length).trim() };
}

function closes(line: string, marks: string): boolean {
  const fence = fenceOf(line.trimEnd());
  return fence !== undefined && fence.word === '' && fence.marks.startsWith(marks);
}

function readFence(word: string, text: string, into: Fences): void {
  const once = (key: keyof Fences) => {
    if (into[key] !== undefined) throw new Error(`a second ${word} fence`);
  };
  switch (word) {
    case 'tools':
      once('tools');
      into.tools = readTools(text);
      return;
    case 'context':
      once('context');
      into.context = JSON.parse(text) as CaseContext;
      return;
    case 'output':
      once('output');
      into.output = text;
      return;
    case 'output-json':
      once('output');
      into.output = JSON.parse(text) as string;
      return;
    case 'spans':
      once('expected');
      into.expected = mergeFindings(
        text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(readFinding),
      );
      return;
    default:
      throw new Error(`unknown fence "${word}"`);
  }
}

function toCase(
  name: string,
  { why, fences, defaults }: { why: readonly string[]; fences: Fences; defaults: Fences },
): ParseCase {
  const { output, expected } = fences;
  if (output === undefined || expected === undefined) throw new Error('needs an output and a spans fence');
  const tools = fences.tools ?? defaults.tools;
  if (tools === undefined) throw new Error('neither the case nor its page has a tools fence');
  const { cut = false, ...context } = { ...defaults.context, ...fences.context };
  return { name, why: why.join(' '), context: { ...context, tools }, cut, output, expected };
}
