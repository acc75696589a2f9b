import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../is-record.ts';

/** Headers that name a conversation: ours, and those by which agents tell their sessions apart. */
const headerNames = ['x-conversation-id', 'x-session-id', 'session_id', 'session-id'];

/** Fields of `metadata` that name one. Claude Code puts its session into `user_id`. */
const metadataNames = ['conversation_id', 'session_id', 'user_id'];

/** Longer than this, it is no name. */
const longest = 512;

/**
 * Which conversation a client says that its request belongs to: the first that names one of the headers, the body's
 * `conversation`, its `metadata`, `prompt_cache_key` and `user`. Undefined where none does.
 */
export function conversationIdentity(headers: IncomingHttpHeaders, body: unknown): string | undefined {
  const fields = objectOf(body);
  const conversation = fields.conversation;
  const metadata = objectOf(fields.metadata);
  const named = [
    ...headerNames.map((name) => headers[name]),
    conversation,
    objectOf(conversation).id,
    ...metadataNames.map((name) => metadata[name]),
    fields.prompt_cache_key,
    fields.user,
  ];
  return named.find((name): name is string => typeof name === 'string' && name !== '' && name.length <= longest);
}

function objectOf(value: unknown): { readonly [field: string]: unknown } {
  return isRecord(value) ? value : {};
}
