import { createEscape } from '../../chat/escape.ts';
import { type Message, textOf } from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { reportDropped } from '../report-dropped.ts';
import type { Template } from './templates.ts';
import { wireId } from './types.ts';

/** One turn of the conversation, as a template sees it. */
interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/**
 * A conversation as one text in which the model goes on. Whatever could open or close a turn of the template is
 * escaped in every message, the model's own among them: a server would take it for the real thing. Texts are not
 * changed in any other way. An assistant message at the end stays open, and the model continues it.
 *
 * Calls, results, reasoning and pictures have no place in a text; what still comes here is left out and told.
 */
export function writePrompt(messages: readonly Message[], template: Template, warnings: Warning[]): string {
  const escaping = createEscape(template.markers);
  let escapes = 0;
  const turns = messages
    .flatMap((message) => turnsOf(message, warnings))
    .map((turn): Turn => {
      const { text, count } = escaping(turn.text);
      escapes += count;
      return { ...turn, text };
    });
  if (escapes > 0) {
    const message = `${escapes} marker(s) of the template in messages were escaped.`;
    warnings.push({ code: 'text-escaped', message });
  }
  const isOpen = messages.at(-1)?.role === 'assistant';
  return render(template.system === 'in-user' ? withoutSystem(turns) : turns, { template, isOpen });
}

/** `isOpen`: an assistant's turn at the end is not over. */
function render(
  turns: readonly Turn[],
  { template, isOpen }: { readonly template: Template; readonly isOpen: boolean },
): string {
  const last = turns.length - 1;
  const goesOn = isOpen && turns[last]?.role === 'assistant';
  const texts = turns.map(({ role, text }, at) => {
    const enclosure = template[role];
    const [before, after] = enclosure === 'in-user' ? template.user : enclosure;
    return before + text + (goesOn && at === last ? '' : after);
  });
  return texts.join('') + (goesOn ? '' : template.opener);
}

/** System texts and users' words that stand side by side, as one user turn. */
function withoutSystem(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const role = turn.role === 'system' ? 'user' : turn.role;
    const last = joined.at(-1);
    if (role === 'user' && last?.role === 'user')
      joined[joined.length - 1] = { role, text: `${last.text}\n\n${turn.text}` };
    else joined.push({ role, text: turn.text });
  }
  return joined;
}

function turnsOf(message: Message, warnings: Warning[]): readonly Turn[] {
  switch (message.role) {
    case 'system':
    case 'user':
      if (message.role === 'user' && message.name !== undefined) unsaid('The name of a user', warnings);
      return [{ role: message.role, text: readable(message, warnings) }];
    case 'assistant': {
      const kinds = new Set(message.content.map(({ type }) => type));
      if (kinds.has('reasoning')) unsaid('Past reasoning', warnings);
      if (kinds.has('tool-call')) unsaid('A past call of a tool', warnings);
      // What the model wrote was cut into parts by us, not by it.
      return kinds.has('text') ? [{ role: 'assistant', text: textOf(message.content, '') }] : [];
    }
    case 'tool':
      unsaid("A tool's result", warnings);
      return [];
    default:
      return message satisfies never;
  }
}

function readable({ role, content }: Extract<Message, { role: 'system' | 'user' }>, warnings: Warning[]): string {
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text;
    warnings.push({ code: 'part-dropped', message: `A picture in a ${role} message can't be said in ${wireId}.` });
    return '[picture left out]';
  });
  return texts.join('\n');
}

function unsaid(what: string, warnings: Warning[]): void {
  reportDropped(warnings, `${what} can't be said in ${wireId}.`);
}
