import { activitiesOf, type Chat } from '@dragoman/agent';

/** A chat as a note: what was said, and what was done in a line each. */
export function chatNote({ title, created, messages }: Chat): string {
  const lines = [`# ${title}`, '', `*${new Date(created).toISOString().slice(0, 10)}*`];
  messages.forEach((message, at) => {
    const { role, content } = message;
    if (role === 'user') lines.push('', '## You', '', content);
    if (role !== 'assistant') return;
    if (messages[at - 1]?.role === 'user') lines.push('', '## Assistant');
    if (content !== '') lines.push('', content);
    const done = activitiesOf(message, messages.slice(at + 1)) ?? [];
    if (done.length > 0) lines.push('', ...done.map(({ text }) => `> ${text}`));
  });
  return `${lines.join('\n')}\n`;
}

/** A title as the name of a file: without what some system or Obsidian's links do not take. */
export function fileName(title: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|#^[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.replace(/^\.+/, '').slice(0, 80).trim() || 'Chat';
}
