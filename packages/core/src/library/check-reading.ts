import { anything, type Checks, checkOptions, type FieldChecks, refuse } from '../check-value.ts';
import type { ParseContext, ParseLimits, ParsePolicy } from '../dialects/dialect.ts';
import { policyWords } from '../dialects/parse-policy.ts';
import { checkTools } from './check-tools.ts';

/** What a policy of a parser has to be. */
export const policyChecks: Checks<ParsePolicy> = {
  ...policyWords,
  only: 'string',
  maxCalls: 0,
};

/** What bounds of a parser have to be. */
export const limitChecks: Checks<ParseLimits> = { callLength: 1 };

const contextChecks: Checks<ParseContext> = {
  tools: anything,
  opened: ['reasoning'],
  policy: policyChecks,
  limits: limitChecks,
  answered: 'function',
  over: 'function',
  unclosed: 'function',
  mayOpen: 'function',
  watch: anything,
};

/**
 * Refuses what would not do what it says in the context of a parser: unknown fields, wrong values, tools of another shape.
 * `place`: what the context is of; `more`: what else may be there. Throws DragomanError `config-invalid` with the name and
 * what is possible.
 */
export function checkContext(context: ParseContext, place: string, more: FieldChecks = {}): void {
  checkOptions(context, { ...contextChecks, ...more }, place);
  checkTools(context.tools);
}

/** The same for all that a reply is read by. `more`: what else may be there, such as of its conversation. */
export function checkReading(
  options: ParseContext & { readonly dialect: unknown },
  more: FieldChecks = { conversation: 'function' },
): void {
  checkContext(options, 'the reading options', { dialect: anything, ...more });
  const { dialect } = options;
  if (typeof Object(dialect).createParser === 'function') return;
  const such = "such as the hermes of @dragoman/core/dialects/hermes (@dragoman/core itself takes a dialect's id, too)";
  refuse('dialect', dialect, `give it a Dialect, ${such}.`);
}

/** Refuses what is no text, for callers without types. Throws DragomanError `config-invalid`. */
export function checkText(text: unknown): void {
  if (typeof text === 'string') return;
  refuse('text', text, 'give it as a string, such as TextDecoderStream makes of bytes.');
}
