import { quoted, type Rules } from './rules.ts';
import { until } from './until.ts';

/**
 * How values are written: as JSON, as Python's literals, or as Gemma's, where keys are bare and strings are between two of a
 * token.
 */
export type Notation = 'json' | 'python' | { readonly quote: string };

/** The parts of values in one notation, as rules of a grammar. */
export class NotationRules {
  readonly #rules: Rules;
  readonly #notation: Notation;
  #any: Readonly<Record<'value' | 'object' | 'array', string>> | undefined;

  constructor(rules: Rules, notation: Notation) {
    this.#rules = rules;
    this.#notation = notation;
  }

  /** What may be between two parts. */
  get gap(): string {
    return this.#rules.common('gap');
  }

  get string(): string {
    const string = this.#rules.common('string');
    if (typeof this.#notation === 'string') return string;
    const { quote } = this.#notation;
    return this.#rules.named(`${quoted(quote)} ${until([quote], this.#rules)} ${quoted(quote)} | ${string}`);
  }

  /** A string of so many characters; between tokens they cannot be counted. */
  counted(form: (character: string) => string): string {
    return typeof this.#notation === 'string' ? `"\\"" ${form(this.#rules.common('char'))} "\\""` : this.string;
  }

  /** Any name of a member. */
  get key(): string {
    const string = this.#rules.common('string');
    return typeof this.#notation === 'string' ? string : this.#rules.named(`[a-zA-Z0-9_]+ | ${string}`);
  }

  /** Just this name of a member. */
  givenKey(key: string): string {
    const isBare = typeof this.#notation !== 'string' && isWord(key);
    return quoted(isBare ? key : JSON.stringify(key));
  }

  /** Just this value, which is no list and no object. */
  given(value: unknown): string {
    const json = JSON.stringify(value) ?? 'null';
    if (typeof value !== 'string') return quoted(this.word(json));
    if (typeof this.#notation === 'string') return quoted(json);
    const { quote } = this.#notation;
    return value.includes(quote) ? quoted(json) : `(${quoted(quote + value + quote)} | ${quoted(json)})`;
  }

  /** How a word of JSON is written. */
  word(json: string): string {
    return this.#notation === 'python' ? (pythonWords[json] ?? json) : json;
  }

  /** Any value, object or list. */
  any(kind: 'value' | 'object' | 'array'): string {
    this.#any ??= this.#makeAny();
    return this.#any[kind];
  }

  #makeAny(): Readonly<Record<'value' | 'object' | 'array', string>> {
    const { gap, string, key } = this;
    const [value, object, array] = [this.#rules.later(), this.#rules.later(), this.#rules.later()];
    const words = ['true', 'false', 'null'].map((word) => quoted(this.word(word)));
    value.define([object.name, array.name, string, this.#rules.common('number'), ...words].join(' | '));
    const member = `${key} ${gap} ":" ${gap} ${value.name} ${gap}`;
    object.define(`"{" ${gap} (${member} ("," ${gap} ${member})*)? "}"`);
    array.define(`"[" ${gap} (${value.name} ${gap} ("," ${gap} ${value.name} ${gap})*)? "]"`);
    return { value: value.name, object: object.name, array: array.name };
  }
}

const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Letters, digits and `_`, which a bare key is made of. */
function isWord(text: string): boolean {
  return /^[a-zA-Z0-9_]+$/.test(text);
}
