import { callIdsQuirk, noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak Ollama's API depart from each other, in one table. All are off unless an upstream's
 * configuration sets them.
 */
export const ollamaChatQuirks = {
  noStream: noStreamQuirk,
  noThink: 'Refuses `think`, as models without reasoning do.',
  thinkLevels: 'Takes `low`, `medium` and `high` for `think`, as gpt-oss does; others take only true and false.',
  callIds: callIdsQuirk,
  mergeRoles: 'Refuses two messages of one role in a row; neighbours become one.',
} as const satisfies QuirkTable;

export type OllamaChatQuirk = keyof typeof ollamaChatQuirks;
