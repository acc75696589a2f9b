import { type Checks, checkOptions, fieldsOf, flag, oneOf, wholeNumber } from '../check-value.ts';
import { type CallPolicy, callPolicyWords, type FinalAnswerRule, finalAnswerWords, ruleWords } from '../plan/rules.ts';
import { limitChecks, policyChecks } from './check-reading.ts';
import { resultChecks } from './check-rendering.ts';
import type { TextRule } from './options.ts';

const { only: _, answers: __, ...parserChecks } = policyChecks;

const callPolicyChecks: Checks<CallPolicy> = {
  ...parserChecks,
  maxCalls: wholeNumber(1),
  textAfterCalls: oneOf(callPolicyWords.textAfterCalls),
};

const finalAnswerChecks: Checks<FinalAnswerRule> = {
  marks: oneOf(finalAnswerWords.marks),
  withTools: oneOf(finalAnswerWords.withTools),
};

/** What each field of a rule for `askTextModel` has to be. */
export const textRuleChecks: Checks<TextRule> = {
  callDeltas: oneOf(ruleWords.callDeltas),
  exampleCall: flag,
  finalAnswer: fieldsOf(finalAnswerChecks),
  images: flag,
  limits: fieldsOf(limitChecks),
  opened: oneOf(['reasoning']),
  outputFormat: oneOf(ruleWords.outputFormat),
  policy: fieldsOf(callPolicyChecks),
  reasoning: oneOf(ruleWords.reasoning),
  reminder: flag,
  constrainCalls: oneOf(ruleWords.constrainCalls),
  results: fieldsOf(resultChecks),
  systemLabels: oneOf(ruleWords.systemLabels),
  systemText: oneOf(ruleWords.systemText),
};

/**
 * Refuses a rule with an unknown field, or with a value that it cannot have, for callers without types. Throws DragomanError
 * `config-invalid` with the name and what is possible.
 */
export function checkTextRule(rule: unknown): void {
  checkOptions(rule, textRuleChecks, 'the rule');
}
