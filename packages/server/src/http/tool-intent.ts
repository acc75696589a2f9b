import { type ChatRequest, textOf } from '@dragoman/core';

const phrases = ['read file', 'write file', 'execute', 'run command', 'list files', 'search files', 'edit file'];

/** How much of a message is looked at: a wish for a tool stands early, and a pasted file is no wish. */
const looked = 4096;

/** Whether the user's last words sound like tools. Only the log hears of it: without declared tools nothing can be called. */
export function soundsLikeTools(request: Pick<ChatRequest, 'messages'>): boolean {
  const last = request.messages.findLast((message) => message.role === 'user');
  if (last === undefined) return false;
  const text = textOf(last.content, ' ').slice(0, looked).toLowerCase();
  return phrases.some((phrase) => text.includes(phrase));
}
