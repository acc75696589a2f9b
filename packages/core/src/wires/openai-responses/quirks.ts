import { callIdsQuirk, noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak the Responses API depart from it, in one table; configuration and its documentation are checked
 * against it. All are off unless an upstream's configuration sets them.
 */
export const openaiResponsesQuirks = {
  noStream: noStreamQuirk,
  noParallelToolCalls: 'Refuses `parallel_tool_calls`. The models of OpenAI that do are known by their names.',
  systemAsInstructions:
    'Refuses system messages among the items, as ChatGPT does: the leading ones become `instructions`, later ones get the role `developer`.',
  noReasoningHistory: 'Refuses reasoning items of earlier turns.',
  callIds: callIdsQuirk,
  anyToolName:
    'Takes any name of a tool; others get one of letters, digits, `_` and `-`, and calls come back under theirs.',
  mergeRoles: 'Refuses two messages of one role in a row; neighbours become one.',
} as const satisfies QuirkTable;

export type OpenaiResponsesQuirk = keyof typeof openaiResponsesQuirks;
