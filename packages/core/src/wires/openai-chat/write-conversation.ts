import type { CollectedMessage } from '../../chat/collect.ts';

/** Whether replies name the upstream's own conversation. */
export interface ConversationFieldOptions {
  /** Writes `_conversation` with `id` and `parent_id` into the final chunk and into whole answers. Default: no. */
  readonly conversationField?: boolean;
}

/** The field of our own, in no API: SDKs pass it on unread. Empty where it is not wanted, or nothing is known. */
export function writeConversation(
  conversation: CollectedMessage['conversation'],
  { conversationField }: ConversationFieldOptions,
): { readonly _conversation?: { readonly id?: string; readonly parent_id?: string } } {
  if (conversationField !== true || conversation === undefined) return {};
  const { id, parentId } = conversation;
  return {
    _conversation: { ...(id === undefined ? {} : { id }), ...(parentId === undefined ? {} : { parent_id: parentId }) },
  };
}
