import type { ChatMessage } from './message.ts';

/** Which form files have. A file of a later one is left alone. */
export const chatVersion = 2;

/** What a chat wants otherwise than the settings of all chats. */
export interface ChatSettings {
  readonly model?: string;
  readonly baseUrl?: string;
}

/** From `upTo` messages a summary was made, which is sent in their place. They stay where they are. */
export interface Compaction {
  readonly upTo: number;
  readonly summary: string;
}

/** One chat. */
export interface Chat {
  readonly id: string;
  readonly title: string;
  /** The title is its person's, not made out of the first message. */
  readonly titled?: true;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  readonly settings: ChatSettings;
  readonly messages: readonly ChatMessage[];
  readonly compaction?: Compaction;
}

/** A line of the list of chats. */
export type ChatSummary = Pick<Chat, 'id' | 'title' | 'updated'>;

/** UTF-16 units. */
const longestTitle = 50;

/** A title made of what was asked first. */
export function titleOf(messages: readonly ChatMessage[]): string {
  const asked = messages.find(({ role, content }) => role === 'user' && content.trim() !== '');
  const line = asked?.content.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line === '') return 'New chat';
  if (line.length <= longestTitle) return line;
  const cut = line.slice(0, longestTitle - 1);
  // Not within a character of two units.
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`;
}
