import type { AssistantMessage, Message } from '../chat/message.ts';
import { wireIdOf } from './call-ids.ts';

/**
 * The history with the ids that the upstream itself issued: where one was used again and a client therefore got an id of
 * ours, each turn shows the upstream's id again. Two calls of one turn never get the same id; then ours stays. The same
 * array if nothing changes.
 */
export function restoreWireIds(messages: readonly Message[]): readonly Message[] {
  /** Of the latest turns: the id that the client knows to the one that the upstream knows. */
  const restored = new Map<string, string>();
  let changed = false;
  const restoredMessages = messages.map((message): Message => {
    if (message.role === 'assistant') {
      const own = restoreTurn(message, restored);
      changed ||= own !== message;
      return own;
    }
    const callId = message.role === 'tool' ? restored.get(message.callId) : undefined;
    return message.role === 'tool' && callId !== undefined ? { ...message, callId } : message;
  });
  return changed ? restoredMessages : messages;
}

function restoreTurn(message: AssistantMessage, restored: Map<string, string>): AssistantMessage {
  const used = new Set<string>();
  for (const part of message.content) if (part.type === 'tool-call') used.add(part.callId);
  let changed = false;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-call') return part;
    const wireId = wireIdOf(part.callId, part.name);
    if (wireId === undefined || used.has(wireId)) return part;
    used.add(wireId);
    restored.set(part.callId, wireId);
    changed = true;
    return { ...part, callId: wireId };
  });
  return changed ? { ...message, content } : message;
}
