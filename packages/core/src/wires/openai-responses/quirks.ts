import {
  anyToolNameQuirk,
  callIdsQuirk,
  mergeRolesQuirk,
  noParallelToolCallsQuirk,
  noStreamQuirk,
} from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak the Responses API depart from it, in one table; configuration and its documentation are checked
 * against it. All are off unless an upstream's configuration sets them.
 */
export const openaiResponsesQuirks = {
  noStream: noStreamQuirk,
  noParallelToolCalls: noParallelToolCallsQuirk,
  systemAsInstructions:
    'Refuses system messages in `input`, as ChatGPT does. The first ones are sent as `instructions`, later ones with the role `developer`.',
  noReasoningHistory: 'Refuses reasoning of earlier turns, so it is not sent.',
  callIds: callIdsQuirk,
  anyToolName: anyToolNameQuirk,
  mergeRoles: mergeRolesQuirk,
} as const satisfies QuirkTable;

export type OpenaiResponsesQuirk = keyof typeof openaiResponsesQuirks;
