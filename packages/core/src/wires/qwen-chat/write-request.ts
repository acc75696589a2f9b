import { effortOf } from '../../chat/effort.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { Warning } from '../../chat/warning.ts';
import type { JsonObject } from '../read-values.ts';
import { reportDropped, reportForeign, reportNoTools, reportSampling } from '../report-dropped.ts';
import type { ConversationPlace, WrittenRequest } from '../wire.ts';
import { writeSingleText } from '../write-single-text.ts';
import { type ClockAndIds, type QwenChatSettings, wireId } from './types.ts';

interface Message {
  /** The upstream's own name for the model. */
  readonly model: string;
  readonly place: ConversationPlace;
  readonly settings: QwenChatSettings;
  readonly surroundings: ClockAndIds;
}

/**
 * A canonical request as one message of a user, always a stream. All that is new to the platform is its text: system text
 * has no role of its own here, because after a reply one is answered with nothing. The parent is under each of its
 * three names.
 */
export function writeRequest(request: ChatRequest, { model, place, settings, surroundings }: Message): WrittenRequest {
  const warnings = reportUnsaid(request);
  const { id = null, parent = null } = place;
  const { chatMode, chatType } = settings;
  const timestamp = Math.floor(surroundings.now() / 1000);
  const message = {
    fid: surroundings.newId(),
    parentId: parent,
    parent_id: parent,
    childrenIds: [],
    role: 'user',
    content: writeSingleText(request.messages, { wire: wireId, warnings }),
    user_action: 'chat',
    files: [],
    timestamp,
    models: [model],
    chat_type: chatType,
    sub_chat_type: chatType,
    feature_config: {
      thinking_enabled: false,
      output_schema: 'phase',
      ...settings.features,
      ...thinkingOf(request, warnings),
    },
    extra: { meta: { subChatType: chatType } },
  };
  const body = {
    stream: true,
    incremental_output: true,
    chat_id: id,
    chat_mode: chatMode,
    model,
    parent_id: parent,
    timestamp,
    messages: [message],
  };
  const query = id === null ? '' : `?chat_id=${encodeURIComponent(id)}`;
  return { path: `/api/v2/chat/completions${query}`, body, warnings };
}

/** How a chat is begun. */
export function writeCreate(
  model: string,
  { settings, surroundings }: Pick<Message, 'settings' | 'surroundings'>,
): WrittenRequest {
  const { chatMode, chatType } = settings;
  const body = {
    title: 'New Chat',
    models: [model],
    chat_mode: chatMode,
    chat_type: chatType,
    timestamp: surroundings.now(),
  };
  return { path: '/api/v2/chats/new', body, warnings: [] };
}

/** How a reply is stopped. The platform writes on when nobody reads it any more, and its chat takes nothing meanwhile. */
export function writeStop({ id, reply }: ConversationPlace & { readonly reply: string }): WrittenRequest | undefined {
  if (id === undefined || reply === '') return undefined;
  const path = `/api/v2/chat/completions/stop?chat_id=${encodeURIComponent(id)}`;
  return { path, body: { chat_id: id, response_id: reply }, warnings: [] };
}

/** What was asked of the model's thinking, in the platform's words; nothing where nothing was asked. */
function thinkingOf(request: ChatRequest, warnings: Warning[]): JsonObject {
  const effort = effortOf(request);
  if (effort === undefined) return {};
  if (effort === 'none') return { thinking_enabled: false };
  if (request.reasoningBudget !== undefined) {
    return { thinking_enabled: true, thinking_budget: request.reasoningBudget };
  }
  const cure = 'To set how much, ask for a budget of tokens.';
  reportDropped(warnings, `The effort "${effort}" only switches thinking on: ${wireId} has no field for it. ${cure}`);
  return { thinking_enabled: true };
}

function reportUnsaid(request: ChatRequest): Warning[] {
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  reportSampling(warnings, request.sampling, wireId);
  reportNoTools(warnings, request, wireId);
  return warnings;
}
