import { repairs } from '../../../json/json-repairs.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { lookFor, type Scanner } from '../../parser/scanner.ts';
import { CallFields } from './call-fields.ts';
import { FieldComment } from './field-comment.ts';
import type { FieldReader } from './field-reader.ts';
import { behindOf, type JsonBlock, keysOf } from './json-form.ts';
import { endsInKey, readKey } from './json-key.ts';

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
  | 'second-brace';

/**
 * How far the object has been read. `next`: it is a call, and another one stands behind the comma, in the same braces.
 * `calls`: it is a message, and the first call of its list stands in front of the scanner; when the list is closed, it is read
 * on. `unclosed`: the input is over, and nothing but the brace is missing.
 */
export type ObjectProgress = 'more' | 'done' | 'next' | 'calls' | 'unclosed' | 'broken';

/** What a call's object is read with. */
export interface CallObjectOptions {
  readonly call: CallWriter;
  /** It stands in a list. */
  readonly inList: boolean;
  /** The name that stands outside of the object, too. Default: none. */
  readonly header?: string | undefined;
  /** It goes on behind the comma of the call before it. */
  readonly goesOn?: boolean;
}

/** Reads the object of one call, or of a message with a list of calls, field by field. */
export class CallObject {
  readonly #form: JsonBlock;
  readonly #call: CallWriter;
  readonly #inList: boolean;
  readonly #fields: CallFields;
  #state: State;
  #doubled = false;
  /** The fields stand in an object inside the call's own. */
  #inContainer = false;
  /** The object is a message, and its list of calls has come. */
  #isMessage = false;
  /** What a message says beside its calls may stand in it. */
  #mayHoldText = false;
  #afterComma = false;
  #key = '';
  /** What the key begins with. */
  #quote = '';
  #value: FieldReader | undefined;
  readonly #comment: FieldComment;

  constructor(form: JsonBlock, { call, inList, header, goesOn = false }: CallObjectOptions) {
    this.#form = form;
    this.#call = call;
    this.#inList = inList;
    this.#fields = new CallFields(call, { keys: keysOf(form), behind: behindOf(form), header });
    this.#comment = new FieldComment(call);
    this.#state = goesOn ? 'key' : 'object';
  }

  read(scanner: Scanner): ObjectProgress {
    while (true) {
      const progress = this.#step(scanner);
      if (progress !== 'on') return progress;
    }
  }

  #step(scanner: Scanner): ObjectProgress | 'on' {
    if (this.#state === 'in-value') return this.#readValue(scanner);
    if (this.#comment.isOpen && !this.#comment.read(scanner)) return 'broken';
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) return this.#comment.isOpen ? 'more' : this.#mendAtEnd(scanner);
    if (this.#state !== 'object' && this.#comment.opens(scanner)) return 'on';
    const character = scanner.text[scanner.at];
    switch (this.#state) {
      case 'object':
        return this.#expect(scanner, character === '{', 'key');
      case 'key':
        return this.#readKey(scanner, character);
      case 'colon':
        return this.#readColon(scanner, character === ':');
      case 'value':
        return this.#openValue(scanner, character);
      case 'comma':
        return this.#readComma(scanner, character);
      case 'second-brace':
        return this.#readSecondBrace(scanner, character);
    }
  }

  #expect(scanner: Scanner, stands: boolean, next: State): 'on' | 'broken' {
    if (!stands) return 'broken';
    scanner.at += 1;
    this.#state = next;
    return 'on';
  }

  #readKey(scanner: Scanner, character: string | undefined): ObjectProgress | 'on' {
    if (character === '}') {
      if (this.#afterComma) this.#call.issue('json-repaired', 'A trailing comma was left out.');
      return this.#endObject(scanner);
    }
    if (character === '{' && !this.#doubled && !this.#inContainer && !this.#fields.any) {
      this.#doubled = true;
      scanner.at += 1;
      this.#call.issue('json-repaired', 'The call stood in two pairs of braces.');
      return 'on';
    }
    const key = readKey(scanner, scanner.at);
    if (typeof key === 'string') return key === 'more' || endsInKey(scanner, scanner.at) ? 'more' : 'broken';
    this.#quote = character ?? '';
    this.#key = key.text;
    if (this.#form.keyed && !this.#fields.any) {
      this.#fields.setName(key.text);
      this.#key = keysOf(this.#form).arguments;
    }
    scanner.at = key.end;
    this.#state = 'colon';
    return 'on';
  }

  /** Only a colon shows that a key was read. */
  #readColon(scanner: Scanner, stands: boolean): 'on' | 'broken' {
    const key = this.#quote === "'" ? repairs.quotes : repairs.key;
    if (stands && this.#quote !== '"') this.#call.issue('json-repaired', key);
    return this.#expect(scanner, stands, 'value');
  }

  #openValue(scanner: Scanner, character: string | undefined): ObjectProgress | 'on' {
    const { keyed = false } = this.#form;
    if (character === '{' && !keyed && !this.#inContainer && this.#fields.isContainer(this.#key)) {
      this.#inContainer = true;
      this.#mayHoldText = true;
      this.#call.aside(this.#fields.takeText(), 'lead');
      this.#afterComma = false;
      return this.#expect(scanner, true, 'key');
    }
    if (character === '[' && !keyed && !this.#inContainer && !this.#isMessage && this.#fields.isWrapper(this.#key)) {
      const first = scanner.behindSpace(scanner.at + 1);
      if (first === 'more') return 'more';
      if (first !== 'no' && scanner.text[first] === '{') return this.#openCalls(scanner, first);
    }
    const value = this.#fields.open(this.#key, scanner);
    if (value === 'more') return 'more';
    this.#value = value;
    this.#state = 'in-value';
    return 'on';
  }

  #openCalls(scanner: Scanner, first: number): 'calls' {
    scanner.at = first;
    this.#isMessage = true;
    this.#mayHoldText = true;
    this.#state = 'comma';
    this.#call.aside(this.#fields.takeText(), 'lead', scanner.position());
    // Should the first call break off, nobody would tell of them.
    this.#fields.finishMessage();
    return 'calls';
  }

  #readValue(scanner: Scanner): ObjectProgress | 'on' {
    const value = this.#value;
    const state = value?.read(scanner) ?? 'broken';
    if (state === 'open') return 'more';
    // The call's closer shows that nothing but brackets is missing.
    const closer = state === 'done' ? 'no' : lookFor(scanner, scanner.at, this.#form.closers);
    if (closer === 'more') return 'more';
    if (state === 'broken' && (closer === 'no' || !value?.closeContainers())) return 'broken';
    if (!this.#fields.close(this.#key, value)) return 'broken';
    this.#value = undefined;
    this.#state = 'comma';
    return 'on';
  }

  #readComma(scanner: Scanner, character: string | undefined): ObjectProgress | 'on' {
    if (character === ',') return this.#readNextField(scanner);
    if (character === '}') return this.#endObject(scanner);
    if (!this.#isWhole) return 'broken';
    const bracket = this.#inList && character === ']';
    const closer = bracket ? scanner.at : lookFor(scanner, scanner.at, this.#form.closers);
    if (typeof closer === 'string') return closer === 'more' ? 'more' : 'broken';
    this.#call.issue('call-mended', 'The brace that closes the call was missing.');
    return this.#finish();
  }

  /** Behind a comma: another field, or another call where keys are names. */
  #readNextField(scanner: Scanner): ObjectProgress | 'on' {
    if (this.#form.keyed && this.#fields.argumentsRead) {
      const next = scanner.behindSpace(scanner.at + 1);
      if (next === 'more') return 'more';
      const quote = next === 'no' ? '' : scanner.text.charAt(next);
      if (next !== 'no' && (quote === '"' || quote === "'")) {
        scanner.at = next;
        return this.#fields.finish() ? 'next' : 'broken';
      }
    }
    this.#afterComma = true;
    return this.#expect(scanner, true, 'key');
  }

  #endObject(scanner: Scanner): ObjectProgress | 'on' {
    scanner.at += 1;
    if (this.#inContainer) {
      this.#inContainer = false;
      this.#state = 'comma';
      return 'on';
    }
    if (!this.#doubled) return this.#finish();
    if (this.#finish() === 'broken') return 'broken';
    this.#state = 'second-brace';
    return 'on';
  }

  /** An object that was opened with two braces: where only the second one behind it is missing, there is one reading. */
  #readSecondBrace(scanner: Scanner, character: string | undefined): ObjectProgress {
    if (character === '}') {
      scanner.at += 1;
      return 'done';
    }
    const closer = lookFor(scanner, scanner.at, this.#form.closers);
    if (closer === 'more') return 'more';
    const between = this.#inList && (character === ',' || character === ']');
    if (closer === 'no' && !between) return 'broken';
    this.#call.issue('call-mended', 'The second brace behind the call was missing.');
    return 'done';
  }

  /** What makes it a call, or a message, has come. */
  get #isWhole(): boolean {
    return this.#isMessage || this.#fields.argumentsRead;
  }

  #finish(): 'done' | 'broken' {
    if (this.#mayHoldText) this.#call.aside(this.#fields.takeText(), 'trail');
    if (this.#isMessage) this.#fields.finishMessage();
    return this.#isMessage || this.#fields.finish() ? 'done' : 'broken';
  }

  /** The input is over between two tokens: with the arguments whole, only closing brackets can be missing. */
  #mendAtEnd(scanner: Scanner): 'more' | 'unclosed' {
    if (!scanner.ended || scanner.cut) return 'more';
    if (this.#state === 'second-brace') return 'unclosed';
    if (this.#state !== 'comma' || !this.#isWhole) return 'more';
    return this.#finish() === 'done' ? 'unclosed' : 'more';
  }
}
