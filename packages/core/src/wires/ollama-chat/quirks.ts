/**
 * How servers that speak Ollama's API depart from each other, in one table. All are off unless an upstream's
 * configuration sets them.
 */
export const ollamaChatQuirks = {
  numCtx: 'The context window in tokens to ask for where a request does not; Ollama cuts what is longer, silently.',
  noThink: 'Refuses `think`, as models without reasoning do.',
  thinkLevels: 'Takes `low`, `medium` and `high` for `think`, as gpt-oss does; others take only true and false.',
} as const;

export type OllamaChatQuirk = keyof typeof ollamaChatQuirks;
