import type { Usage } from '../../chat/event.ts';
import { isObject } from '../read-values.ts';

/** A `usage` object; `undefined` when it counts nothing. A number that is missing is what the total leaves over. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const total = count(value.total_tokens);
  const input = count(value.input_tokens) ?? count(value.prompt_tokens);
  const output = count(value.output_tokens) ?? count(value.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = detail(value.input_tokens_details, 'cached_tokens');
  const reasoning = detail(value.output_tokens_details, 'reasoning_tokens');
  return {
    inputTokens: input ?? rest(total, output),
    outputTokens: output ?? rest(total, input),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    source: 'upstream',
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function detail(details: unknown, field: string): number | undefined {
  return isObject(details) ? count(details[field]) : undefined;
}

function rest(total: number | undefined, part: number | undefined): number {
  return Math.max(0, (total ?? 0) - (part ?? 0));
}
