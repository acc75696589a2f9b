import { type Message, textOf } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import { type SpokenTurn, writeTurns } from '../chat/write-turns.ts';
import { reportNoField, taughtCure } from './report-dropped.ts';

interface TextContext {
  /** The id of the wire that cannot say everything. */
  readonly wire: string;
  /** Hears what could not be said. */
  readonly warnings: Warning[];
}

/**
 * Messages as the one text that a server takes. System text comes first, then what was said. Where that is more than
 * one side, the server is told an earlier conversation: each turn is under the name of who said it, and the model is
 * to answer the last.
 */
export function writeSingleText(messages: readonly Message[], { wire, warnings }: TextContext): string {
  const told = messages.filter(({ role }) => role === 'system').map((message) => sayable(message, { wire, warnings }));
  const turns = messages
    .filter(({ role }) => role !== 'system')
    .map((message): SpokenTurn => {
      const role = message.role === 'assistant' ? 'assistant' : 'user';
      return { role, text: sayable(message, { wire, warnings }) };
    });
  const isReplay = turns.some(({ role }) => role === 'assistant');
  const said = isReplay
    ? ['This is our conversation so far. Go on with the next turn of the assistant.', writeTurns(turns, warnings)]
    : turns.map(({ text }) => text);
  return [...told, ...said].filter((text) => text !== '').join('\n\n');
}

function sayable({ role, content }: Message, { wire, warnings }: TextContext): string {
  if (content.some(({ type }) => type === 'tool-call') || role === 'tool') {
    reportNoField(warnings, { wire, what: 'A call or its result', cure: taughtCure });
  }
  if (content.some(({ type }) => type === 'image')) {
    reportNoField(warnings, { wire, what: 'An image', cure: 'Describe it in words.' });
  }
  return textOf(content, role === 'assistant' ? '' : '\n');
}
