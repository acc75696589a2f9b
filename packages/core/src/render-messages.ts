import { checkTools } from './check-tools.ts';
import type { Dialect } from './dialects/dialect.ts';
import { nativeIdsIn } from './engine/call-ids.ts';
import { defaultModelRule } from './engine/setup.ts';
import { prepareTextMessages, type TextMessages, type ToldRequest } from './prompting/render-history.ts';
import type { PromptRule } from './prompting/rules.ts';
import { sharedCallIds } from './reply-parser.ts';
import type { CallIdStore } from './stores/call-id-store.ts';

/** How a conversation is to be written for a text model. What is left out is the gateway's default. */
export interface RenderingOptions extends Partial<Omit<PromptRule, 'prompts' | 'inject'>> {
  /** The reply will be read with `policy.names` other than `exact`: markers are neutralised in any letter case. */
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
 * GatewayError `invalid-tool-results` (always for results that fit several calls, else only when `results.mode` is
 * `strict`), and `config-invalid` for tools of another shape than `ToolDefinition`.
 */
export function renderMessages(conversation: Conversation, options: RenderingOptions): TextMessages {
  const { dialect, anyCase = false, callIds = sharedCallIds, ...rule } = options;
  checkTools(conversation.tools ?? [], 'the conversation');
  return prepareTextMessages({
    request: { tools: [], toolChoice: 'auto', parallelToolCalls: true, ...conversation },
    dialect,
    rule: { ...defaultModelRule, ...rule },
    nativeIdOf: nativeIdsIn(callIds),
    anyCase,
  });
}
