import { type Checks, checkOptions, flag } from '../check-value.ts';
import { type CallPolicy, callPolicyWords, type FinalAnswerRule, finalAnswerWords, ruleWords } from '../plan/rules.ts';
import { limitChecks, policyChecks } from './check-reading.ts';
import { resultChecks } from './check-rendering.ts';
import type { TextRule } from './options.ts';

const { only: _, answers: __, ...parserChecks } = policyChecks;

const callPolicyChecks: Checks<CallPolicy> = {
  ...parserChecks,
  maxCalls: 1,
  textAfterCalls: callPolicyWords.textAfterCalls,
};

const finalAnswerChecks: Checks<FinalAnswerRule> = {
  marks: finalAnswerWords.marks,
  withTools: finalAnswerWords.withTools,
};

/** What each field of a rule for `askTextModel` has to be. */
export const textRuleChecks: Checks<TextRule> = {
  callDeltas: ruleWords.callDeltas,
  exampleCall: flag,
  finalAnswer: finalAnswerChecks,
  images: flag,
  limits: limitChecks,
  opened: ['reasoning'],
  outputFormat: ruleWords.outputFormat,
  policy: callPolicyChecks,
  reasoning: ruleWords.reasoning,
  reminder: flag,
  constrainCalls: ruleWords.constrainCalls,
  results: resultChecks,
  systemLabels: ruleWords.systemLabels,
  systemText: ruleWords.systemText,
};

/**
 * Refuses a rule with an unknown field, or with a value that it cannot have, for callers without types. Throws DragomanError
 * `config-invalid` with the name and what is possible.
 */
export function checkTextRule(rule: unknown): void {
  checkOptions(rule, textRuleChecks, 'the rule');
}
