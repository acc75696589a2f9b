import { createEscape } from './escape.ts';
import type { Warning } from './warning.ts';

/** What is above a turn of a conversation that is told as text. */
const headings = { user: '## User', assistant: '## Assistant' };

/** The headings of turns. */
export const turnHeadings: readonly string[] = Object.values(headings);

/** One turn, as text. */
export interface SpokenTurn {
  readonly role: keyof typeof headings;
  readonly text: string;
}

/**
 * Turns of a conversation as one text, each under the name of who said it, with a blank line between. What looks like
 * such a heading in a turn is escaped, and told in `warnings`.
 */
export function writeTurns(turns: readonly SpokenTurn[], warnings: Warning[]): string {
  const escaping = createEscape(turnHeadings.map((text) => ({ text, anyCase: true })));
  let escapes = 0;
  const written = turns.map(({ role, text }) => {
    const escaped = escaping(text);
    escapes += escaped.count;
    return `${headings[role]}\n\n${escaped.text}`;
  });
  reportHeadings(escapes, warnings);
  return written.join('\n\n');
}

/** Tells how many headings of turns or of a prompt's parts were escaped, if any. */
export function reportHeadings(count: number, warnings: Warning[]): void {
  if (count === 0) return;
  const message = `${count} heading(s) in messages that look like those of turns or of a prompt's parts were escaped.`;
  warnings.push({ code: 'text-escaped', message });
}
