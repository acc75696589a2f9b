import { anyToolNameQuirk, callIdsQuirk, noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak the Messages API depart from it, in one table; configuration and its documentation are checked
 * against it. All are off, or as the text says, unless an upstream's configuration sets them.
 */
export const anthropicMessagesQuirks = {
  maxTokens: {
    meaning: 'The most tokens of an answer where the request sets no limit, because this API needs one. Default: 8192.',
    value: 'count',
  },
  noStream: noStreamQuirk,
  noSystemInMessages: 'Refuses system messages between the others, so they are sent with the system text at the front.',
  noEffort: 'Refuses `output_config.effort`, so what other clients ask for there is not sent.',
  unsignedThinking:
    'Takes reasoning of earlier turns without a signature. Without this, it is left out, because Anthropic refuses it.',
  callIds: callIdsQuirk,
  anyToolName: anyToolNameQuirk,
} as const satisfies QuirkTable;

export type AnthropicMessagesQuirk = keyof typeof anthropicMessagesQuirks;
