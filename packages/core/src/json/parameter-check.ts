import { quoteName } from '../chat/warning.ts';
import type { ReaderOptions } from './reader-options.ts';

/** So many parameters that are unknown, and as many that are missing, are told by their names. */
const mostNamed = 8;

/**
 * Compares the parameters of one call with its schema, and tells at its end which ones the schema does not name and which
 * required ones have not come. Where the schema leaves open what may come, nothing is told. What it remembers is bounded.
 */
export class ParameterCheck {
  readonly #schema: ReaderOptions['schema'];
  readonly #warning: ReaderOptions['warning'];
  readonly #missing: Set<string>;
  readonly #unknown: string[] = [];

  constructor({ schema, warning }: Pick<ReaderOptions, 'schema' | 'warning'>) {
    this.#schema = schema;
    this.#warning = warning;
    this.#missing = new Set(schema.required);
  }

  /** Required parameters that have not come, in the schema's order. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** A parameter comes, for the first time. */
  readonly come = (name: string): void => {
    this.#missing.delete(name);
    if (this.#schema.expects(name)) return;
    if (this.#unknown.length <= mostNamed) this.#unknown.push(quoteName(name));
  };

  /** The call is whole. `told`: parameters whose absence was told already. */
  end(told: readonly string[] = []): void {
    if (this.#unknown.length > 0) this.#warning('parameter-unknown', this.#aboutUnknown);
    const missing = this.missing.filter((name) => !told.includes(name)).map(quoteName);
    if (missing.length > 0) this.#warning('parameter-missing', `Required parameters are missing: ${listed(missing)}.`);
  }

  get #aboutUnknown(): string {
    const names = listed(this.#unknown);
    return this.#unknown.length === 1
      ? `Parameter ${names} is not in the schema; it was kept.`
      : `Parameters ${names} are not in the schema; they were kept.`;
  }
}

function listed(names: readonly string[]): string {
  return names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ' and more' : '');
}
