import { callIdsQuirk, noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak the Messages API depart from it, in one table; configuration and its documentation are checked
 * against it. All are off, or as the text says, unless an upstream's configuration sets them.
 */
export const anthropicMessagesQuirks = {
  maxTokens: {
    meaning: 'The limit on the answer where a request has none, as this wire insists on one. Default 8192.',
    value: 'count',
  },
  noStream: noStreamQuirk,
  noSystemInMessages: 'Refuses system messages between the others; they join the system text in front.',
  noEffort: 'Refuses `output_config.effort`; the effort that other clients ask for is left out.',
  unsignedThinking: 'Takes earlier reasoning without a signature. Anthropic refuses it, so it is left out otherwise.',
  callIds: callIdsQuirk,
  anyToolName:
    'Takes any name of a tool; others get one of letters, digits, `_` and `-`, and calls come back under theirs.',
} as const satisfies QuirkTable;

export type AnthropicMessagesQuirk = keyof typeof anthropicMessagesQuirks;
