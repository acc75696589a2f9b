import type { Extra } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';

/**
 * Reports that a wire has no words for something, once for each `message`: a history repeats the same loss in turn after
 * turn.
 */
export function reportDropped(warnings: Warning[], message: string): void {
  if (warnings.some((warning) => warning.code === 'field-dropped' && warning.message === message)) return;
  warnings.push({ code: 'field-dropped', message });
}

/** Reports an image in a message for which the wire knows only text, and says what is in its place. */
export function imageLeftOut(warnings: Warning[], role: string, wire: string): string {
  warnings.push({ code: 'part-dropped', message: `An image in a ${role} message can't be said in ${wire}.` });
  return '[image left out]';
}

/** What is said of a result whose failure the wire cannot tell. */
export const untoldFailure = (wire: string): string =>
  `That a tool failed can't be said in ${wire}; its output was sent as it is.`;

/** Reports the fields of a request that only other wires know. */
export function reportForeign(warnings: Warning[], extra: Extra, wire: string): void {
  for (const [other, fields] of Object.entries(extra)) {
    if (other === wire) continue;
    reportDropped(
      warnings,
      `Fields of ${other} can't be said in ${wire}: ${Object.keys(fields).slice(0, 20).join(', ')}.`,
    );
  }
}

/** What is said of a budget for thinking that the wire can tell only as an effort. */
export const untoldBudget = (budget: number | undefined, effort: string): string =>
  `A budget of ${budget} tokens for reasoning was told as the effort "${effort}".`;

/** What is said, once, of probabilities that came with a reply: events have no place for them. */
export const leftOutProbabilities: Warning = {
  code: 'field-ignored',
  message: 'The probabilities of tokens that came with the reply were left out.',
};
