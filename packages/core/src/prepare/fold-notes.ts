import type { Message, Part, ToolMessage } from '../chat/message.ts';

/**
 * Notes as a part of the results that they come after, for upstreams that take results as fields: in the last text,
 * because many servers take only one. A history without notes is the same array.
 */
export function foldNotes(messages: readonly Message[]): readonly Message[] {
  if (!messages.some((message) => message.role === 'tool' && message.note !== undefined)) return messages;
  return messages.map((message) => (message.role === 'tool' ? folded(message) : message));
}

function folded({ note, ...message }: ToolMessage): ToolMessage {
  return note === undefined ? message : { ...message, content: withText(message.content, note) };
}

/** Parts with a text after the last text of theirs. */
export function withText(content: readonly Part[], note: string): readonly Part[] {
  const last = content.findLastIndex(({ type }) => type === 'text');
  if (last < 0) return [...content, { type: 'text', text: note }];
  return content.map((part, at) =>
    at === last && part.type === 'text' ? { ...part, text: after(part.text, note) } : part,
  );
}

/** A text with a note after it. */
export function after(text: string, note: string): string {
  return text === '' ? note : `${text}\n\n${note}`;
}
