import type { Dialect } from '../dialects/dialect.ts';
import type { PromptRule, ResultRule } from '../plan/rules.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { nativeIdsIn } from '../prepare/call-ids.ts';
import { prepareTextMessages, type TextMessages, type ToldRequest } from '../prepare/render-history.ts';
import type { CallIdStore } from '../stores/call-id-store.ts';
import { withDefaults } from '../with-defaults.ts';
import { checkConversation, checkRendering } from './check-rendering.ts';
import { sharedCallIds } from './reply-parser.ts';

/** How a conversation is to be written for a text model. What is left out is the gateway's default. */
export interface RenderingOptions extends Partial<Omit<PromptRule, 'prompts' | 'inject' | 'results'>> {
  /** What is left out of it is the gateway's default, too. */
  readonly results?: Partial<ResultRule>;
  /** The reply will be read with `policy.names` other than `exact`: markers are escaped in any letter case. */
  readonly anyCase?: boolean;
  /** Where the reading of earlier replies kept the ids that the model gave its calls. Default: as there. */
  readonly callIds?: CallIdStore;
  /** The dialect that the model writes. */
  readonly dialect: Dialect;
}

/** A conversation to be written; a `ChatRequest` is one. Without `tools` none are taught. */
export type Conversation = Pick<ToldRequest, 'messages'> & Partial<ToldRequest>;

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
    dialect,
    rule: withDefaults(defaultModelRule, { ...rule, results: withDefaults(defaultModelRule.results, results) }),
    nativeIdOf: nativeIdsIn(callIds),
    anyCase,
  });
}
