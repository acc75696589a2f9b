import type { Chat } from '../chat/chat.ts';
import { activitiesOf } from './activity.ts';

/** A chat as Markdown: what was said, and what was done in a line each. */
export function chatMarkdown({ title, created, messages }: Chat): string {
  const lines = [`# ${title}`, '', `*${new Date(created).toISOString().slice(0, 10)}*`];
  messages.forEach((message, at) => {
    const { role, content } = message;
    if (role === 'user') lines.push('', '## You', '', content);
    if (role !== 'assistant') return;
    if (messages[at - 1]?.role === 'user') lines.push('', '## Assistant');
    if (content.trim() !== '') lines.push('', content.trim());
    const done = activitiesOf(message, messages.slice(at + 1)) ?? [];
    if (done.length > 0) lines.push('', ...done.map(({ text }) => `> ${text}`));
  });
  return `${lines.join('\n')}\n`;
}
