import type { ChatMessage } from '../chat/message.ts';

/** What of a history is sent. */
export interface FittedHistory {
  readonly messages: readonly ChatMessage[];
  /** How many of the oldest messages are left out. */
  readonly omitted: number;
}

/**
 * The newest messages that together have at most `most` UTF-16 units; a call and its results stay together. What is newest is
 * there in any case, and so is what was asked last. Where something is left out, a note says so.
 */
export function fitHistory(messages: readonly ChatMessage[], most: number): FittedHistory {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const request = messages[asked];
  const room = most - (request === undefined ? 0 : lengthOf(request));
  let from = messages.length;
  let length = 0;
  for (let start = messages.length - 1; start >= 0; start -= 1) {
    const message = messages[start];
    // A round is taken at its beginning, where the calls are.
    if (message === undefined || message.role === 'tool') continue;
    const round = messages.slice(start, from);
    length += round.reduce((sum, each) => sum + (each === request ? 0 : lengthOf(each)), 0);
    if (length > room && from < messages.length) break;
    from = start;
  }
  const pinned = request !== undefined && asked < from ? [request] : [];
  const omitted = from - pinned.length;
  if (omitted <= 0) return { messages, omitted: 0 };
  const note = `[${omitted} earlier messages of this chat are left out, since they would be too long.]`;
  return { messages: [{ role: 'system', content: note }, ...pinned, ...messages.slice(from)], omitted };
}

/** UTF-16 units that a message has in a request, about. */
export function lengthOf(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return (
    message.content.length +
    calls.reduce((sum, { name, arguments: values }) => sum + name.length + JSON.stringify(values).length, 0)
  );
}
