import type { Usage } from '../stream/reply-pieces.ts';

/** What a model has cost in this window. */
export interface ModelUsage extends Usage {
  readonly requests: number;
  /** Dollars, where prices are known. */
  readonly cost?: number;
}

/** How full a model's window is after the last turn. */
export interface Fill {
  readonly modelId: string;
  readonly used: number;
  readonly window: number;
  readonly cached: number;
  /** Whether the server counted, or we did. */
  readonly isEstimate: boolean;
  readonly cost?: number;
}

export interface Prices {
  /** Dollars for a million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}

/** Tokens of input, of input from a cache, of output and of thought, each on its own, for every model. */
export class UsageTracker {
  readonly #models = new Map<string, ModelUsage>();

  add(modelId: string, usage: Usage, prices: Prices = {}): void {
    const known: ModelUsage = this.#models.get(modelId) ?? {
      requests: 0,
      input: 0,
      output: 0,
      cached: 0,
      reasoning: 0,
    };
    const spent = costOf(usage, prices);
    const cost = spent === undefined ? known.cost : spent + (known.cost ?? 0);
    this.#models.set(modelId, {
      requests: known.requests + 1,
      input: known.input + usage.input,
      output: known.output + usage.output,
      cached: known.cached + usage.cached,
      reasoning: known.reasoning + usage.reasoning,
      ...(cost === undefined ? {} : { cost }),
    });
  }

  all(): ReadonlyMap<string, ModelUsage> {
    return this.#models;
  }
}

/** Dollars of one request; nothing where prices are not known. */
export function costOf({ input, output }: Usage, { inputPrice, outputPrice }: Prices): number | undefined {
  if (inputPrice === undefined || outputPrice === undefined) return undefined;
  return (input * inputPrice + output * outputPrice) / 1_000_000;
}

const number = (value: number) => value.toLocaleString('en-US');

/** A page of Markdown with a row for each model. */
export function describeUsage(models: ReadonlyMap<string, ModelUsage>): string {
  if (models.size === 0) return '# Token usage\n\nNo model has been asked in this window yet.\n';
  const rows = [...models].map(
    ([id, { requests, input, cached, output, reasoning, cost }]) =>
      `| ${[id, ...[requests, input, cached, output, reasoning].map(number), cost === undefined ? '' : `$${cost.toFixed(4)}`].join(' | ')} |`,
  );
  const head = '| model | requests | input | from a cache | output | thinking | cost |\n|---|--:|--:|--:|--:|--:|--:|';
  return `# Token usage\n\nSince this window was opened, as the servers counted.\n\n${head}\n${rows.join('\n')}\n`;
}
