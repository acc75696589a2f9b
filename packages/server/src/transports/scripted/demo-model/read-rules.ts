import type { ToolDefinition } from '@dragoman/core';
import type { Demand } from './plan-calls.ts';

/** What a prompt's instructions say about calling, besides the tools themselves. */
export interface Rules {
  readonly demand: Demand;
  /** At most one call in a reply. */
  readonly oneAtATime: boolean;
  readonly directory: string | undefined;
}

/** Longer sentences are documentation, not instructions on calling. */
const longestSentence = 300;

/** Reads the rules out of the sentences of a prompt, in any wording that a reader would understand. */
export function readRules(text: string, tools: readonly ToolDefinition[]): Rules {
  let demand: Demand = 'none';
  let oneAtATime = false;
  for (const sentence of sentencesOf(text)) {
    if (sentence.length > longestSentence) continue;
    const lower = ` ${sentence.toLowerCase()} `;
    const isAboutCalls = lower.includes(' call') || lower.includes(' tool');
    if (!isAboutCalls) continue;
    if (oneMarks.some((mark) => lower.includes(mark))) oneAtATime = true;
    if (demands(lower)) demand = tools.find((tool) => names(sentence, tool.name)) ?? 'any';
  }
  return { demand, oneAtATime, directory: directoryOf(text) };
}

const oneMarks = [
  'one at a time',
  'one call at a time',
  'one tool at a time',
  'only one',
  'at most one',
  'exactly one',
  'one tool per',
  'one call per',
  'single call',
  'single tool',
];
const mustMarks = [
  ' must call',
  ' must use',
  ' have to call',
  ' have to use',
  ' are required to call',
  ' required to use',
];
const thisReplyMarks = [
  'at least one',
  'next reply',
  'this reply',
  'next message',
  'this message',
  'next answer',
  'this turn',
  'your reply',
  'your next',
  'now',
];
const conditionMarks = [' if ', ' when ', ' whenever ', ' before ', ' unless ', ' not ', ' never '];

/** "You must call …" for this very reply, without a condition. */
function demands(lower: string): boolean {
  return (
    mustMarks.some((mark) => lower.includes(mark)) &&
    thisReplyMarks.some((mark) => lower.includes(mark)) &&
    !conditionMarks.some((mark) => lower.includes(mark))
  );
}

function names(sentence: string, name: string): boolean {
  return ['`', '"', "'", '<', ' '].some((lead) => sentence.includes(lead + name));
}

function sentencesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.split('. '));
}

/** `Working directory: /x` and the like, as coding agents tell it. */
function directoryOf(text: string): string | undefined {
  const lower = text.toLowerCase();
  for (const label of ['working directory', 'workspace root', 'workspace folder', 'current directory']) {
    const at = lower.indexOf(label);
    if (at === -1) continue;
    const slash = text.indexOf('/', at);
    if (slash === -1 || slash - at > label.length + 20 || text.slice(at, slash).includes('\n\n')) continue;
    let to = slash;
    while (to < text.length && !'\n\r"\'`<>)'.includes(text[to] ?? '')) to += 1;
    return text.slice(slash, to).trim();
  }
  return undefined;
}
