import type { Dialect, ParseContext } from '@dragoman/core';
import { sampleTools } from './sample-tools.ts';

/** What every dialect knows. */
const common = ['<think>', '</think>', '<thinking>', '</thinking>', '<final_answer>', '</final_answer>'];

/** The literals that may be left out of a reply, also those of dialects beside it. Throws where one has no grammar. */
export function markupOf(
  dialect: Dialect,
  context: Partial<ParseContext>,
  beside: readonly Dialect[] = [],
): readonly string[] {
  const whole = { tools: sampleTools, ...context };
  return [...new Set([dialect, ...beside].flatMap((each) => literalsOf(each, whole)))];
}

function literalsOf(dialect: Dialect, context: ParseContext): readonly string[] {
  const form = dialect.grammar?.(context);
  if (form === undefined) throw new Error(`${dialect.id} has no grammar`);
  const {
    sections,
    reasoning = [],
    results = [],
    resultsAfterCall = [],
    turnEnds = [],
    silent = [],
    labels = [],
  } = form;
  const calls = form.calls
    .map((form) => form({ ends: [], closers: [] }))
    .flatMap((form) => [...form.openers.map(({ literal }) => literal), ...form.closers, ...(form.valueClosers ?? [])]);
  const around = [...(sections?.openers ?? []), ...(sections?.closers ?? []), ...reasoning.flat(2)];
  const told = [...results, ...resultsAfterCall];
  const all = [...calls, ...around, ...told, ...turnEnds, ...silent, ...labels, ...common];
  return all.flatMap((literal) => (literal ? literal.toLowerCase() : []));
}

/** In a literal: whatever comes after the name of a tag there. */
const anySuffix = '\uffff';

/** Is this text nothing but such literals and white space? */
export function isMarkup(text: string, literals: readonly string[]): boolean {
  const folded = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    const lengths = literals.map((literal) => lengthAt(folded, at, literal));
    const blank = text.charAt(at).trim() === '' ? 1 : 0;
    const taken = Math.max(0, blank, ...lengths);
    if (taken === 0) return false;
    at += taken;
  }
  return true;
}

/** How long the literal is that is at `at`; 0 where it is not there. */
function lengthAt(text: string, at: number, literal: string): number {
  const [head = '', tail] = literal.split(anySuffix);
  if (!text.startsWith(head, at)) return 0;
  if (tail === undefined) return head.length;
  let end = at + head.length;
  while (isSuffixCharacter(text.charAt(end))) end += 1;
  return text.startsWith(tail, end) ? end + tail.length - at : 0;
}

function isSuffixCharacter(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= '0' && character <= '9') ||
    character === '_' ||
    character === '-'
  );
}
