import { asDialect } from '../dialects/render/render-table.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { nativeIdsIn } from '../prepare/call-ids.ts';
import { prepareTextMessages, type TextMessages, type ToldRequest } from '../prepare/render-history.ts';
import { withDefaults } from '../with-defaults.ts';
import { checkConversation, checkRendering } from './check-rendering.ts';
import { sharedCallIds } from './conversation-of.ts';
import type { Conversation, RenderingOptions } from './options.ts';

/**
 * A conversation as a model sees it that knows nothing of tools: only system, user and assistant messages, the tools
 * taught in the system text, past calls and results in the dialect's form. The conversation is never changed. Throws
 * DragomanError `invalid-tool-results` (always for results that fit several calls, else only when `results.mode` is
 * `strict`), and `config-invalid`, with the name and what is possible, for options that would not do what they say and for
 * messages and tools of another shape.
 */
export function renderMessages(conversation: Conversation, options: RenderingOptions): TextMessages {
  checkRendering(options);
  checkConversation(conversation);
  const { messages } = conversation;
  const { dialect, anyCase = false, callIds = sharedCallIds, results, ...rule } = options;
  return prepareTextMessages({
    request: withDefaults<ToldRequest>(
      { messages, tools: [], toolChoice: 'auto', parallelToolCalls: true },
      conversation,
    ),
    dialect: asDialect(dialect),
    rule: withDefaults(defaultModelRule, { ...rule, results: withDefaults(defaultModelRule.results, results) }),
    nativeIdOf: nativeIdsIn(callIds),
    anyCase,
  });
}
