import type { ToolDefinition } from '@dragoman/core';
import type { Demand } from './plan-calls.ts';
import { isWordCharacter, wordsOf } from './words.ts';

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
    if (!lower.includes(' call') && !lower.includes(' tool')) continue;
    if (oneMarks.some((mark) => lower.includes(mark))) oneAtATime = true;
    if (demands(lower)) demand = tools.find((tool) => names(sentence, tool.name)) ?? 'any';
  }
  return { demand, oneAtATime, directory: directoryOf(text) };
}

const oneMarks = ['at most one', 'only one', 'exactly one', 'a single', 'just one']
  .flatMap((count) => [`${count} call`, `${count} tool`])
  .concat('one call at a time', 'one tool at a time', 'one call per', 'one tool per');
const mustMarks = [' must ', ' have to ', ' has to ', ' required to '];
const thisReplyMarks = [
  'at least one',
  'next reply',
  'this reply',
  'next message',
  'next answer',
  'next turn',
  'this turn',
];
const conditionMarks = [' if ', ' when ', ' whenever ', ' before ', ' unless ', ' must not ', ' never '];

/** "You must call …" for this very reply, without a condition. */
function demands(lower: string): boolean {
  return (
    mustMarks.some((mark) => lower.includes(mark)) &&
    thisReplyMarks.some((mark) => lower.includes(mark)) &&
    !conditionMarks.some((mark) => lower.includes(mark))
  );
}

/** Whether a sentence names a tool as a word of its own. */
function names(sentence: string, name: string): boolean {
  let at = sentence.indexOf(name);
  while (at !== -1) {
    const before = sentence[at - 1] ?? ' ';
    const after = sentence[at + name.length] ?? ' ';
    if (!isNamePart(before) && !isNamePart(after)) return true;
    at = sentence.indexOf(name, at + 1);
  }
  return false;
}

function isNamePart(character: string): boolean {
  return isWordCharacter(character) || character === '_' || character === '-';
}

function sentencesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.split('. ').flatMap((part) => part.split(': ')));
}

/** `Working directory: /x` and the like, as coding agents tell it. */
function directoryOf(text: string): string | undefined {
  const lower = text.toLowerCase();
  for (const label of ['working directory', 'workspace root', 'workspace folder', 'current directory']) {
    const at = lower.indexOf(label);
    if (at === -1) continue;
    const slash = text.indexOf('/', at);
    if (slash === -1 || slash - at > label.length + 20) continue;
    const between = wordsOf(text.slice(at + label.length, slash));
    if (between.some((word) => word.text !== 'is')) continue;
    let to = slash;
    while (to < text.length && !'\n\r"\'`<>)'.includes(text[to] ?? '')) to += 1;
    return text.slice(slash, to).trim();
  }
  return undefined;
}
