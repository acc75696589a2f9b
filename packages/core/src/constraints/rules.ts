/** Rules that every grammar may need, by name. White space is bounded: a small model writes spaces for ever. */
const commonRules: Readonly<Record<string, string>> = {
  gap: '(" " | "\\n" [ \\t]{0,24})?',
  char: '[^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4})',
  string: '"\\"" char* "\\""',
  digits: '("0" | [1-9] [0-9]{0,19})',
  decimal: 'digits ("." [0-9]{1,20})? ([eE] [-+]? [0-9]{1,3})?',
  number: '"-"? decimal',
  word: '[a-zA-Z_] [a-zA-Z0-9_]{0,127}',
  text: '[^/"\'`<>=&|\\\\\\x00-\\x20] [^"\'`<>=&|\\\\\\x00-\\x1F]{0,127}',
};

const commonNames = Object.keys(commonRules);

/**
 * Beyond so many characters nothing more is said of schemas: servers read a grammar before the first token, and writing it keeps all
 * other requests waiting.
 */
const mostCharacters = 250_000;

/** The rules of a grammar in llama.cpp's notation (GBNF), which vLLM, SGLang, KoboldCpp and LocalAI read, too. */
export class Rules {
  readonly #lines: string[] = [];
  /** The names of rules by what they say, and by themselves. */
  readonly #byText = new Map<string, string>();
  readonly #written = new Map<unknown, string>();
  readonly #common = new Set<string>();
  #count = 0;
  #room = mostCharacters;
  /** Something was left open for want of room. */
  isWider = false;

  /** Whether there is room for so many more characters; once there was none, the grammar is wider than what it was asked for. */
  hasRoom(characters = 0): boolean {
    if (this.#room <= characters) this.isWider = true;
    return this.#room > characters;
  }

  /** The name of a rule of `commonRules`. */
  common(name: string): string {
    if (this.#common.has(name)) return name;
    this.#common.add(name);
    this.#byText.set(name, name);
    const text = commonRules[name] ?? '';
    for (const other of commonNames) if (text.split(/[^a-z]+/).includes(other)) this.common(other);
    return name;
  }

  /** A rule for this text, the same for the same text, unless it is the name of one. */
  named(text: string): string {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const { name, define } = this.later();
    define(text);
    this.#byText.set(text, name);
    return name;
  }

  /** What was written for the same schema, form or text; `write` is called when nothing was. */
  of(what: unknown, write: () => string): string {
    const written = this.#written.get(what) ?? write();
    this.#written.set(what, written);
    return written;
  }

  /** Whether it was written. */
  has(what: unknown): boolean {
    return this.#written.has(what);
  }

  /** A rule that is defined later, as it may hold itself. */
  later(): { readonly name: string; readonly define: (text: string) => void } {
    const name = `r${this.#count}`;
    this.#count += 1;
    this.#byText.set(name, name);
    return {
      name,
      define: (text) => {
        this.#lines.push(`${name} ::= ${text === '' ? '""' : text}`);
        this.#room -= name.length + text.length;
      },
    };
  }

  /** The whole grammar, of which this is the root. */
  write(root: string): string {
    const common = [...this.#common].map((name) => `${name} ::= ${commonRules[name]}`);
    return `${[`root ::= ${root}`, ...this.#lines, ...common].join('\n')}\n`;
  }
}

/** After a rule: so many times at most, or as often as the model likes. Counted further than this, servers refuse it. */
export function upTo(most: number | undefined): string {
  return most === undefined || most > mostRepeated ? '*' : `{0,${most}}`;
}

const mostRepeated = 1000;

/** Alternatives, of which one stands. */
export function oneOf(forms: readonly string[]): string {
  if (forms.length === 1) return `${forms[0]}`;
  const different = [...new Set(forms)];
  return different.length === 1 ? `${different[0]}` : `(${different.join(' | ')})`;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** What is escaped: quotation marks, backslashes, control characters, and halves of a character. */
const special = /["\\\p{Cc}\p{Cs}]/u;
const everySpecial = /["\\\p{Cc}\p{Cs}]/gu;

/** A text that stands for itself: whatever it holds is data. */
export function quoted(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  return `"${text.replace(everySpecial, (each) => escapes[each] ?? plain(each))}"`;
}

/** Characters of which one stands, or none of which does. */
export function anyBut(characters: readonly string[]): string {
  const escaped = characters.map((each) => (']^-['.includes(each) ? hex(each) : (escapes[each] ?? plain(each))));
  return `[^${escaped.join('')}]`;
}

function plain(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return hex(character);
  // Half a character is in no text that a server could send.
  return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : character;
}

function hex(character: string): string {
  return `\\x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}
