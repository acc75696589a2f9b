import {
  type Check,
  type Checks,
  callback,
  checkOptions,
  type FieldChecks,
  fieldsOf,
  having,
  oneOf,
  refuse,
  requireField,
  wholeNumber,
} from '../check-value.ts';
import type { ParseContext, ParseLimits, ParsePolicy } from '../dialects/dialect.ts';
import { policyWords } from '../dialects/parse-policy.ts';
import { checkTools } from './check-tools.ts';

const mostCalls: Check = (value, path) => {
  if (value !== Number.POSITIVE_INFINITY) wholeNumber(0)(value, path);
};

/** What a policy of a parser has to be. */
export const policyChecks: Checks<ParsePolicy> = {
  fences: oneOf(policyWords.fences),
  reasoning: oneOf(policyWords.reasoning),
  undeclared: oneOf(policyWords.undeclared),
  names: oneOf(policyWords.names),
  only: (value, path) => {
    if (typeof value !== 'string') refuse(path, value, 'give it the name of a tool, or leave it out.');
  },
  maxCalls: mostCalls,
  surplus: oneOf(policyWords.surplus),
  entities: oneOf(policyWords.entities),
  results: oneOf(policyWords.results),
  answers: oneOf(policyWords.answers),
};

/** What bounds of a parser have to be. */
export const limitChecks: Checks<ParseLimits> = { callLength: wholeNumber(1) };

const ownDialect = having(
  ['createParser'],
  "a Dialect, such as the hermes of @dragoman/core/dialects/hermes (@dragoman/core itself takes a dialect's id, too)",
);

const contextChecks: Checks<Omit<ParseContext, 'tools'>> = {
  opened: oneOf(['reasoning']),
  policy: fieldsOf(policyChecks),
  limits: fieldsOf(limitChecks),
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
  const tools: Check = (value) => checkTools(value, place);
  checkOptions(context, { tools, ...contextChecks, ...more }, place);
  requireField(context, 'tools', tools);
}

/** The same for all that a reply is read by. `more`: what else may be there, such as of its conversation. */
export function checkReading(options: ParseContext, more: FieldChecks = { conversation: callback }): void {
  checkContext(options, 'the reading options', { dialect: ownDialect, ...more });
  requireField(options, 'dialect', ownDialect);
}

/** Refuses what is no text, for callers without types. Throws DragomanError `config-invalid`. */
export function checkText(text: unknown): void {
  if (typeof text === 'string') return;
  const isBytes = ArrayBuffer.isView(text) || text instanceof ArrayBuffer;
  const remedy = isBytes ? 'decode its bytes first, as TextDecoderStream does.' : 'give it as a string.';
  refuse('text', text, remedy);
}
