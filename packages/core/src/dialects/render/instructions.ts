import type { ToolPrompt } from '../dialect.ts';

/** The rules that hold in every dialect, one sentence each, worded by the request's choice and number of calls. */
export function callRules(prompt: ToolPrompt): readonly string[] {
  return [
    choiceRule(prompt),
    'You may write a short explanation before a call; text and calls can stand in one reply.',
    prompt.parallel
      ? 'You may write several calls in one reply, one after the other. Calls that need the result of another call come in a later reply.'
      : 'Write at most one call in a reply, then wait for its result before the next one.',
    'Stop after your calls. Their results come in the next message: never write or guess a result yourself.',
    'Call only the tools described here, by their exact names, and give every required parameter.',
  ];
}

function choiceRule({ choice }: ToolPrompt): string {
  switch (choice) {
    case 'auto':
    case 'none':
      return 'Call a tool when it helps with the request; otherwise answer in plain text.';
    case 'required':
      return 'Your next reply must contain a call: an answer without one is not accepted.';
    default:
      return `Your next reply must call the tool ${choice.name}: an answer without that call is not accepted.`;
  }
}

/** The rules as a list. */
export function ruleList(rules: readonly string[]): string {
  return ['Rules:', ...rules.map((rule) => `- ${rule}`)].join('\n');
}
