import type { Usage } from '../chat/event.ts';
import { countIn, isObject } from './read-values.ts';

/**
 * A `usage` object of OpenAI's APIs, under the names of Chat Completions or of Responses: servers mix them. `undefined`
 * when it counts nothing; a number that is missing is what the total leaves over.
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const total = countIn(value.total_tokens);
  const input = countIn(value.prompt_tokens) ?? countIn(value.input_tokens);
  const output = countIn(value.completion_tokens) ?? countIn(value.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = detail(value.prompt_tokens_details ?? value.input_tokens_details, 'cached_tokens');
  const reasoning = detail(value.completion_tokens_details ?? value.output_tokens_details, 'reasoning_tokens');
  return {
    inputTokens: input ?? rest(total, output),
    outputTokens: output ?? rest(total, input),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    source: 'upstream',
  };
}

function detail(details: unknown, field: string): number | undefined {
  return isObject(details) ? countIn(details[field]) : undefined;
}

function rest(total: number | undefined, part: number | undefined): number {
  return Math.max(0, (total ?? 0) - (part ?? 0));
}

/** Usage as Chat Completions and Completions say it. */
export interface OpenaiUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
}

/** All three numbers, always: VS Code mistakes a usage without its total for the completion itself. */
export function writeUsage(usage: Usage): OpenaiUsage {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...(usage.cachedInputTokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: usage.cachedInputTokens } }),
    ...(usage.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
  };
}
