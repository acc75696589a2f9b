import type { ChatRequest } from './request.ts';

/** How much a model is to think, from nothing to all it can. */
export const effortLevels: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Up to how many tokens of thinking a level stands for; beyond the last it is `high`. */
const levelsOfBudgets: readonly (readonly [most: number, level: string])[] = [
  [2048, 'low'],
  [8192, 'medium'],
];

/** The effort that a request asks for, by its word or by its budget; `undefined` when it leaves that to the model. */
export function effortOf({ reasoningEffort, reasoningBudget }: ChatRequest): string | undefined {
  if (reasoningEffort !== undefined || reasoningBudget === undefined) return reasoningEffort;
  return levelsOfBudgets.find(([most]) => reasoningBudget <= most)?.[1] ?? 'high';
}

/**
 * The word of `known` that comes nearest to an effort, the lesser of two. A word that is no level stands for `medium`.
 * `none` is only met by itself: a model that is not to think does not think a little. `undefined`: nothing fits.
 */
export function nearestEffort(effort: string, known: readonly string[]): string | undefined {
  if (known.includes(effort)) return effort;
  if (effort === 'none') return undefined;
  const wanted = rankOf(effort);
  let nearest: string | undefined;
  for (const word of known) {
    if (word === 'none') continue;
    if (nearest === undefined || distance(word, wanted) < distance(nearest, wanted)) nearest = word;
  }
  return nearest;
}

/** Half a step up, so that the lesser of two neighbours is nearer. */
function distance(word: string, wanted: number): number {
  const away = rankOf(word) - wanted;
  return away > 0 ? away + 0.5 : -away;
}

function rankOf(word: string): number {
  const rank = effortLevels.indexOf(word);
  return rank < 0 ? effortLevels.indexOf('medium') : rank;
}
