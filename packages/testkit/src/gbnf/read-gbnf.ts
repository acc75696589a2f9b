/** A part of a grammar in llama.cpp's notation. */
export type Gbnf =
  | { readonly kind: 'text'; readonly letters: readonly string[] }
  | {
      readonly kind: 'letter';
      readonly but: boolean;
      readonly ranges: readonly (readonly [from: number, to: number])[];
    }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Gbnf[] }
  | { readonly kind: 'repeat'; readonly part: Gbnf; readonly least: number; readonly most: number };

/**
 * Reads a grammar as llama.cpp's README of grammars describes them, without comments. Throws where the text is none, or a rule is
 * missing: a server would refuse it.
 */
export function readGbnf(text: string): ReadonlyMap<string, Gbnf> {
  const rules = new Map<string, Gbnf>();
  for (const line of text.trimEnd().split('\n')) {
    const found = /^([a-z][a-z0-9-]*) ::= (.*)$/s.exec(line);
    if (found === null) throw new Error(`This is no rule: ${line}`);
    const [, name = '', body = ''] = found;
    if (rules.has(name)) throw new Error(`Two rules are called ${name}.`);
    rules.set(name, new GbnfReader(body).whole());
  }
  for (const rule of rules.values()) checkNames(rule, rules);
  if (!rules.has('root')) throw new Error('There is no root.');
  return rules;
}

function checkNames(rule: Gbnf, rules: ReadonlyMap<string, Gbnf>): void {
  if (rule.kind === 'rule' && !rules.has(rule.name)) throw new Error(`There is no rule ${rule.name}.`);
  if ('parts' in rule) for (const part of rule.parts) checkNames(part, rules);
  if ('part' in rule) checkNames(rule.part, rules);
}

class GbnfReader {
  readonly #letters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#letters = [...text];
  }

  whole(): Gbnf {
    const found = this.#alternatives();
    if (this.#at < this.#letters.length) throw this.#wrong();
    return found;
  }

  #wrong(): Error {
    return new Error(`Something wrong is at ${this.#at} of ${this.#letters.join('')}`);
  }

  #space(): void {
    while (this.#letters[this.#at] === ' ') this.#at += 1;
  }

  #takes(letter: string): boolean {
    if (this.#letters[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #alternatives(): Gbnf {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'any', parts };
  }

  #sequence(): Gbnf {
    const parts: Gbnf[] = [];
    for (this.#space(); this.#at < this.#letters.length; this.#space()) {
      if (['|', ')'].includes(this.#letters[this.#at] ?? '')) break;
      parts.push(this.#repeated(this.#item()));
    }
    if (parts.length === 0) throw this.#wrong();
    return { kind: 'all', parts };
  }

  #item(): Gbnf {
    if (this.#takes('"')) {
      const letters: string[] = [];
      while (!this.#takes('"')) letters.push(this.#letter());
      return { kind: 'text', letters };
    }
    if (this.#takes('[')) return this.#range();
    if (this.#takes('(')) {
      const inner = this.#alternatives();
      if (!this.#takes(')')) throw this.#wrong();
      return inner;
    }
    let name = '';
    while (/[a-z0-9-]/.test(this.#letters[this.#at] ?? '')) name += this.#letters[this.#at++];
    if (name === '') throw this.#wrong();
    return { kind: 'rule', name };
  }

  #range(): Gbnf {
    const but = this.#takes('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#takes(']')) {
      const from = codeOf(this.#letter());
      ranges.push([from, this.#letters[this.#at] === '-' && this.#letters[this.#at + 1] !== ']' ? this.#upTo() : from]);
    }
    return { kind: 'letter', but, ranges };
  }

  #upTo(): number {
    this.#at += 1;
    return codeOf(this.#letter());
  }

  #letter(): string {
    const letter = this.#letters[this.#at];
    if (letter === undefined) throw this.#wrong();
    this.#at += 1;
    if (letter !== '\\') return letter;
    const escaped = this.#letters[this.#at] ?? '';
    this.#at += 1;
    if (escaped === 'x') {
      this.#at += 2;
      return String.fromCodePoint(Number.parseInt(this.#letters.slice(this.#at - 2, this.#at).join(''), 16));
    }
    const plain = { n: '\n', r: '\r', t: '\t' }[escaped] ?? escaped;
    if (!['\n', '\r', '\t', '"', '\\', '[', ']'].includes(plain)) throw this.#wrong();
    return plain;
  }

  #repeated(part: Gbnf): Gbnf {
    if (this.#takes('*')) return { kind: 'repeat', part, least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#takes('+')) return { kind: 'repeat', part, least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#takes('?')) return { kind: 'repeat', part, least: 0, most: 1 };
    if (!this.#takes('{')) return part;
    let bounds = '';
    while (!this.#takes('}')) bounds += this.#letter();
    const [least = '', most] = bounds.split(',');
    return {
      kind: 'repeat',
      part,
      least: Number(least),
      most: most === '' ? Number.POSITIVE_INFINITY : Number(most ?? least),
    };
  }
}

export function codeOf(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}
