import type { Message, Part } from '../chat/message.ts';

/** A message of the text conversation. */
export interface Turn {
  readonly message: Message;
  /** It was made out of calls or results; the client did not write it like this. */
  readonly made?: true;
}

/**
 * Joins neighbours of one role where rewriting has brought them together: results and the user's next words, two rounds
 * of one assistant. Neighbours that the client itself sent stay apart, since it may mean something by that. Texts are
 * joined by a blank line, pictures follow.
 */
export function mergeTurns(turns: readonly Turn[]): readonly Message[] {
  const merged: Message[] = [];
  for (let at = 0; at < turns.length; ) {
    const run = runFrom(turns, at);
    at += run.length;
    const messages = run.map((turn) => turn.message);
    if (run.some((turn) => turn.made)) merged.push(join(messages));
    else merged.push(...messages);
  }
  return merged;
}

function runFrom(turns: readonly Turn[], start: number): readonly Turn[] {
  const role = turns[start]?.message.role;
  let end = start + 1;
  while (role !== 'system' && turns[end]?.message.role === role) end += 1;
  return turns.slice(start, end);
}

function join(messages: readonly Message[]): Message {
  const [first] = messages;
  const last = messages.at(-1);
  if (first === undefined || last === undefined || messages.length === 1) return first ?? emptyUser;
  const parts: readonly Part[] = messages.flatMap((message) => message.content.filter(isPart));
  const texts = messages.map((message) => textOfParts(message)).filter((text) => text !== '');
  const content: Part[] = [{ type: 'text', text: texts.join('\n\n') }];
  if (last.role === 'assistant') return { ...last, content: content.filter((part) => part.type === 'text') };
  // What the client said of its own message (name, extra) stays with it: results in front of it say nothing of the kind.
  return { ...last, role: 'user', content: [...content, ...parts.filter((part) => part.type === 'image')] };
}

const emptyUser: Message = { role: 'user', content: [] };

function isPart(part: Message['content'][number]): part is Part {
  return part.type === 'text' || part.type === 'image';
}

function textOfParts(message: Message): string {
  const parts: readonly Message['content'][number][] = message.content;
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
