import { CallFields, type FieldReader } from './call-fields.ts';
import type { CallWriter } from './call-writer.ts';
import type { CallReader, Open, Progress } from './grammar.ts';
import { type Resume, resumeBehindPairs } from './pair-markers.ts';
import { lookBehindSpace, type Scanner } from './scanner.ts';

/** The literals of a grammar whose calls are JSON objects between markers (kernels J1 and J2). */
export interface JsonForm {
  readonly opener: string;
  /** Behind the object or list; may be missing. */
  readonly closer: string;
}

/** A key longer than this is none of ours. */
const longestKey = 256;

/** Decides whether the opener opens a call: an object, or a list of objects, stands behind it. */
export function openJson(form: JsonForm): Open {
  return (scanner, index, length) => {
    const next = scanner.behindSpace(index + length);
    if (typeof next === 'string') return next;
    const code = scanner.text[next];
    if (code === '{') return { end: next, read: (call) => new JsonCall(form, call, false) };
    if (code !== '[') return 'no';
    const inner = scanner.behindSpace(next + 1);
    if (typeof inner === 'string') return inner;
    return scanner.text[inner] === '{' ? { end: inner, read: (call) => new JsonCall(form, call, true) } : 'no';
  };
}

/** What stands next in the call's object. */
type State =
  /** The opening brace. */
  | 'object'
  /** Behind the brace or a comma: a key, or the closing brace. */
  | 'key'
  | 'colon'
  /** Behind the colon: the first character of the value. */
  | 'value'
  /** Inside the value. */
  | 'in-value'
  /** Behind a value: a comma or the closing brace. */
  | 'comma'
  /** Behind the closing brace of an object that was opened with two. */
  | 'second-brace'
  /** Behind the object: in a list, a comma or the closing bracket. */
  | 'list'
  /** Behind everything: the closer. */
  | 'closer';

class JsonCall implements CallReader {
  readonly #form: JsonForm;
  readonly #call: CallWriter;
  readonly #list: boolean;
  #state: State = 'object';
  #doubled = false;
  #afterComma = false;
  #fields: CallFields;
  #key = '';
  #value: FieldReader | undefined;

  constructor(form: JsonForm, call: CallWriter, list: boolean) {
    this.#form = form;
    this.#call = call;
    this.#list = list;
    this.#fields = new CallFields(call);
  }

  read(scanner: Scanner): Progress {
    while (true) {
      const progress = this.#step(scanner);
      if (progress !== 'on') return progress;
    }
  }

  /** A missing quotation mark turns the closer, and calls behind it, into a string. */
  readonly resume = (raw: string): Resume => resumeBehindPairs(raw, this.#form);

  #step(scanner: Scanner): Progress | 'on' {
    if (this.#state === 'in-value') return this.#readValue(scanner);
    if (this.#state === 'closer') return this.#readCloser(scanner);
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) return this.#mendAtEnd(scanner);
    const character = scanner.text[scanner.at];
    switch (this.#state) {
      case 'object':
        return this.#expect(scanner, character === '{', 'key');
      case 'key':
        return this.#readKey(scanner, character);
      case 'colon':
        return this.#expect(scanner, character === ':', 'value');
      case 'value':
        this.#value = this.#fields.open(this.#key);
        this.#state = 'in-value';
        return 'on';
      case 'comma':
        return this.#readComma(scanner, character);
      case 'second-brace':
        return this.#expect(scanner, character === '}', this.#list ? 'list' : 'closer');
      case 'list':
        return this.#readList(scanner, character);
    }
  }

  #expect(scanner: Scanner, stands: boolean, next: State): Progress | 'on' {
    if (!stands) return 'broken';
    scanner.at += 1;
    this.#state = next;
    return 'on';
  }

  #readKey(scanner: Scanner, character: string | undefined): Progress | 'on' {
    if (character === '}') {
      if (this.#afterComma) this.#call.issue('json-repaired', 'A trailing comma was left out.');
      return this.#endObject(scanner);
    }
    if (character === '{' && !this.#doubled && !this.#fields.any) {
      this.#doubled = true;
      scanner.at += 1;
      this.#call.issue('json-repaired', 'The call stood in two pairs of braces.');
      return 'on';
    }
    const key = readKey(scanner);
    if (typeof key === 'string') return key === 'no' ? 'broken' : 'more';
    this.#key = key.text;
    scanner.at = key.end;
    this.#state = 'colon';
    return 'on';
  }

  #readValue(scanner: Scanner): Progress | 'on' {
    const value = this.#value;
    const state = value?.read(scanner) ?? 'broken';
    if (state === 'open') return 'more';
    if (state === 'broken' || !this.#fields.close(this.#key, value)) return 'broken';
    this.#value = undefined;
    this.#state = 'comma';
    return 'on';
  }

  #readComma(scanner: Scanner, character: string | undefined): Progress | 'on' {
    if (character === ',') {
      this.#afterComma = true;
      return this.#expect(scanner, true, 'key');
    }
    if (character === '}') return this.#endObject(scanner);
    const closer = scanner.look(this.#form.closer);
    if (closer === 'no' || !this.#fields.argumentsRead) return 'broken';
    if (closer === 'more') return 'more';
    this.#call.issue('call-mended', 'The brace that closes the call was missing.');
    this.#state = 'closer';
    return this.#fields.finish() ? 'on' : 'broken';
  }

  #endObject(scanner: Scanner): Progress | 'on' {
    scanner.at += 1;
    if (!this.#fields.finish()) return 'broken';
    this.#state = this.#doubled ? 'second-brace' : this.#list ? 'list' : 'closer';
    return 'on';
  }

  #readList(scanner: Scanner, character: string | undefined): Progress | 'on' {
    if (character === ']') return this.#expect(scanner, true, 'closer');
    if (character !== ',') return this.#endWithoutCloser();
    const next = scanner.behindSpace(scanner.at + 1);
    if (next === 'more') return 'more';
    if (next === 'no' || scanner.text[next] !== '{') return this.#endWithoutCloser();
    scanner.at = next;
    this.#state = 'object';
    this.#doubled = false;
    this.#afterComma = false;
    this.#fields = new CallFields(this.#call);
    return 'again';
  }

  #readCloser(scanner: Scanner): Progress {
    const end = lookBehindSpace(scanner, this.#form.closer);
    if (end === 'more') return 'more';
    if (end === 'no') return this.#endWithoutCloser();
    scanner.at = end;
    return 'done';
  }

  #endWithoutCloser(): Progress {
    this.#call.issue('call-mended', 'The call was not closed.');
    return 'done';
  }

  /** The input is over between two tokens: with the arguments whole, only closing brackets can be missing. */
  #mendAtEnd(scanner: Scanner): Progress {
    if (!scanner.ended || scanner.cut) return 'more';
    if (this.#state === 'list' || this.#state === 'second-brace') return this.#endWithoutCloser();
    if (this.#state !== 'comma' || !this.#fields.argumentsRead || !this.#fields.finish()) return 'more';
    return this.#endWithoutCloser();
  }
}

/** Reads a key with its quotation marks of either kind, or a bare one. */
function readKey(scanner: Scanner): { readonly text: string; readonly end: number } | 'no' | 'more' {
  const { text, at } = scanner;
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1);
    if (close < 0) return scanner.ended || text.length - at > longestKey ? 'no' : 'more';
    return close - at > longestKey ? 'no' : { text: text.slice(at + 1, close), end: close + 1 };
  }
  let end = at;
  while (end < text.length && end - at <= longestKey && isBare(text.charCodeAt(end))) end += 1;
  if (scanner.wantsMore(end) && end - at <= longestKey) return 'more';
  return end === at || end - at > longestKey ? 'no' : { text: text.slice(at, end), end };
}

function isBare(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}
