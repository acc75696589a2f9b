import { textOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';

/** What clients begin such a request with, tools and all. */
const openings: readonly string[] = [
  '[SUGGESTION MODE:', // Claude Code, Qwen Code: what a user may type next
];

/** Longer than this no request for a title is; a text of somebody's own may be. */
const longestTitleRequest = 2000;

/** Zed, NextChat and others ask for a title of what they show in front, without tools, and say how it has to look. */
const titleWords: readonly (readonly string[])[] = [
  ['title'],
  ['conversation', 'chat', 'thread', 'session', 'discussion'],
  ['concise', 'brief', 'short', 'word', 'only the title', 'without any'],
];

/**
 * Whether a request shows a conversation only to ask something about it, as clients do by themselves: the next one of the
 * conversation will not hold it. A summary that takes the place of the conversation is none. Whoever is mistaken for one is
 * answered as well, in a conversation of its own.
 */
export function isSideRequest({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): boolean {
  const last = messages.findLast(({ role }) => role !== 'system');
  if (last?.role !== 'user') return false;
  const opens = (text: string) => openings.some((opening) => text.trimStart().startsWith(opening));
  if (last.content.some((part) => part.type === 'text' && opens(part.text))) return true;
  const text = textOf(last.content);
  if (tools.length > 0 || text.length > longestTitleRequest) return false;
  const words = text.toLowerCase();
  return titleWords.every((each) => each.some((word) => words.includes(word)));
}
