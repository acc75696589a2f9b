import { callIdsQuirk, mergeRolesQuirk, noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak Ollama's API depart from each other, in one table. All are off unless an upstream's
 * configuration sets them.
 */
export const ollamaChatQuirks = {
  noStream: noStreamQuirk,
  noThink: 'Refuses `think`, as models without reasoning do, so it is not sent.',
  thinkLevels: 'Takes `low`, `medium` and `high` for `think`, as gpt-oss does. Without this, `think` is true or false.',
  callIds: callIdsQuirk,
  mergeRoles: mergeRolesQuirk,
} as const satisfies QuirkTable;

export type OllamaChatQuirk = keyof typeof ollamaChatQuirks;
