import { type Message, type TextPart, textOf } from '../chat/message.ts';

/** A message of the text conversation. */
export interface TextTurn {
  readonly message: Message;
  /** It was made out of calls or results; the client did not write it like this. */
  readonly made?: true;
  /** It tells the results of calls. */
  readonly tellsResults?: true;
}

/**
 * Joins neighbours of one role where rewriting has brought them together: results and the user's next words, two rounds
 * of one assistant. Neighbours that the client itself sent stay apart, since it may mean something by that. Texts are
 * joined by a blank line, images follow; what an assistant thought and called stays as it is. Results stay apart.
 */
export function mergeTurns(turns: readonly TextTurn[]): readonly Message[] {
  const merged: Message[] = [];
  for (let at = 0; at < turns.length; ) {
    const run = runFrom(turns, at);
    at += run.length;
    const messages = run.map((turn) => turn.message);
    for (const message of run.some((turn) => turn.made) ? join(messages) : messages) merged.push(message);
  }
  return merged;
}

function runFrom(turns: readonly TextTurn[], start: number): readonly TextTurn[] {
  const role = turns[start]?.message.role;
  let end = start + 1;
  while (role !== 'system' && role !== 'tool' && turns[end]?.message.role === role) end += 1;
  return turns.slice(start, end);
}

/** Several messages of one role as one; a single message as it is. */
function join(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last === undefined || messages.length === 1) return messages;
  if (last.role === 'assistant' && messages.some(({ content }) => content.some(({ type }) => type !== 'text'))) {
    return [{ ...last, content: messages.flatMap((message) => (message.role === 'assistant' ? message.content : [])) }];
  }
  const texts = messages.map(({ content }) => textOf(content)).filter((text) => text !== '');
  const joined: TextPart = { type: 'text', text: texts.join('\n\n') };
  if (last.role === 'assistant') return [{ ...last, content: [joined] }];
  const images = messages.flatMap(({ content }) => content.filter((part) => part.type === 'image'));
  // What the client said of its own message (name, extra) stays with it: results before it say nothing of the kind.
  return [{ ...last, role: 'user', content: [joined, ...images] }];
}
