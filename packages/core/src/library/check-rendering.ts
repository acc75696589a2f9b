import {
  type Check,
  type Checks,
  checkOptions,
  fieldsOf,
  flag,
  having,
  oneOf,
  refuse,
  requireField,
  wholeNumber,
} from '../check-value.ts';
import { promptWords, type ResultRule, resultWords } from '../plan/rules.ts';
import { checkMessages } from './check-messages.ts';
import { checkTools } from './check-tools.ts';
import { callIdsCheck } from './conversation-of.ts';
import type { Conversation, RenderingOptions } from './options.ts';

/** What a rule for results has to be. */
export const resultChecks: Checks<ResultRule> = {
  format: oneOf(resultWords.format),
  mode: oneOf(resultWords.mode),
  maxLength: wholeNumber(0),
  maxRoundLength: wholeNumber(0),
  orphans: oneOf(resultWords.orphans),
  errorPrefix: flag,
  ascii: flag,
};

const redundantSystem: Check = (value, path) => {
  if (typeof value !== 'string') refuse(path, value, 'give it a text, or leave it out.');
};

/** A dialect as an object, or the parser of a table; `remedy` says what else there is. */
export function dialectCheck(remedy: string): Check {
  const whole = having(['createParser', 'markers', 'renderTools', 'renderCalls', 'renderResults'], remedy);
  const half = having(['createParser', 'grammar'], remedy);
  return (value, path) => (Object(value).parts === undefined ? whole : half)(value, path);
}

const renderingChecks: Checks<RenderingOptions> = {
  dialect: dialectCheck("a Dialect; @dragoman/core itself takes a dialect's id, too"),
  anyCase: flag,
  callIds: callIdsCheck,
  systemText: oneOf(promptWords.systemText),
  redundantSystem,
  systemLabels: oneOf(promptWords.systemLabels),
  reminder: flag,
  constrainCalls: oneOf(promptWords.constrainCalls),
  results: fieldsOf(resultChecks),
  images: flag,
  exampleCall: flag,
};

const choices = oneOf(['auto', 'none', 'required']);

/** Refuses options of `renderMessages` that would not do what they say. Throws DragomanError `config-invalid`. */
export function checkRendering(options: RenderingOptions): void {
  checkOptions(options, renderingChecks, 'the rendering options');
  requireField(options, 'dialect', renderingChecks.dialect);
}

/** Refuses a conversation of another shape; what only requests have may be beside it. Throws DragomanError `config-invalid`. */
export function checkConversation(conversation: Conversation): void {
  const { messages, tools = [], toolChoice = 'auto' } = Object(conversation);
  checkMessages(messages);
  checkTools(tools, 'the conversation');
  if (typeof toolChoice !== 'object') choices(toolChoice, 'toolChoice');
  else if (typeof Object(toolChoice).name !== 'string') refuse('toolChoice', toolChoice, 'give it { name } of a tool.');
}
