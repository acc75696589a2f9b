import { anything, type Checks, check, checkOptions, flag, having, refuse } from '../check-value.ts';
import { promptWords, type ResultRule, resultWords } from '../plan/rules.ts';
import { checkMessages } from './check-messages.ts';
import { checkTools } from './check-tools.ts';
import { callIdsCheck } from './conversation-of.ts';
import type { Conversation, RenderingOptions } from './options.ts';

/** What a rule for results has to be. */
export const resultChecks: Checks<ResultRule> = {
  format: resultWords.format,
  mode: resultWords.mode,
  maxLength: 0,
  maxRoundLength: 0,
  orphans: resultWords.orphans,
  errorPrefix: flag,
  ascii: flag,
};

/** A dialect as an object, or the parser of a table; `remedy` says what else there is. */
export function dialectCheck(remedy: string) {
  const whole = having(['createParser', 'markers', 'renderTools', 'renderCalls', 'renderResults'], remedy);
  const half = having(['createParser', 'grammar'], remedy);
  return (value: unknown, path: string): void => (Object(value).parts === undefined ? whole : half)(value, path);
}

const dialect = dialectCheck("a Dialect; @dragoman/core itself takes a dialect's id, too");

const renderingChecks: Checks<RenderingOptions> = {
  dialect: anything,
  anyCase: flag,
  callIds: callIdsCheck,
  systemText: promptWords.systemText,
  redundantSystem: 'string',
  systemLabels: promptWords.systemLabels,
  reminder: flag,
  constrainCalls: promptWords.constrainCalls,
  results: resultChecks,
  images: flag,
  exampleCall: flag,
};

/** Refuses options of `renderMessages` that would not do what they say. Throws DragomanError `config-invalid`. */
export function checkRendering(options: RenderingOptions): void {
  checkOptions(options, renderingChecks, 'the rendering options');
  dialect(Object(options).dialect, 'dialect');
}

/** Refuses a conversation of another shape; what only requests have may be beside it. Throws DragomanError `config-invalid`. */
export function checkConversation(conversation: Conversation): void {
  const { messages, tools = [], toolChoice = 'auto' } = Object(conversation);
  checkMessages(messages);
  checkTools(tools);
  if (typeof toolChoice !== 'object') check(toolChoice, ['auto', 'none', 'required'], 'toolChoice');
  else if (typeof Object(toolChoice).name !== 'string') refuse('toolChoice', toolChoice, 'give it { name } of a tool.');
}
