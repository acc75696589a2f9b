import {
  anything,
  type Checks,
  callback,
  checkOptions,
  type FieldChecks,
  having,
  ofType,
  refuse,
} from '../check-value.ts';
import type { ParseContext, ParseLimits, ParsePolicy } from '../dialects/dialect.ts';
import { policyWords } from '../dialects/parse-policy.ts';
import { checkTools } from './check-tools.ts';

/** What a policy of a parser has to be. */
export const policyChecks: Checks<ParsePolicy> = {
  ...policyWords,
  only: ofType('string', 'the name of a tool'),
  maxCalls: 0,
};

/** What bounds of a parser have to be. */
export const limitChecks: Checks<ParseLimits> = { callLength: 1 };

const ownDialect = having(
  ['createParser'],
  "a Dialect, such as the hermes of @dragoman/core/dialects/hermes (@dragoman/core itself takes a dialect's id, too)",
);

const contextChecks: Checks<ParseContext> = {
  tools: anything,
  opened: ['reasoning'],
  policy: policyChecks,
  limits: limitChecks,
  answered: callback,
  over: callback,
  unclosed: callback,
  mayOpen: callback,
  watch: having(['range', 'noticed'], 'an object with the methods range and noticed'),
};

/**
 * Refuses what would not do what it says in the context of a parser: unknown fields, wrong values, tools of another shape.
 * `place`: what the context is of; `more`: what else may be there. Throws DragomanError `config-invalid` with the name and
 * what is possible.
 */
export function checkContext(context: ParseContext, place: string, more: FieldChecks = {}): void {
  checkOptions(context, { ...contextChecks, ...more }, place);
  checkTools(context.tools, place);
}

/** The same for all that a reply is read by. `more`: what else may be there, such as of its conversation. */
export function checkReading(options: ParseContext, more: FieldChecks = { conversation: callback }): void {
  checkContext(options, 'the reading options', { dialect: anything, ...more });
  ownDialect(Object(options).dialect, 'dialect');
}

/** Refuses what is no text, for callers without types. Throws DragomanError `config-invalid`. */
export function checkText(text: unknown): void {
  if (typeof text === 'string') return;
  const isBytes = ArrayBuffer.isView(text) || text instanceof ArrayBuffer;
  const remedy = isBytes ? 'decode its bytes first, as TextDecoderStream does.' : 'give it as a string.';
  refuse('text', text, remedy);
}
