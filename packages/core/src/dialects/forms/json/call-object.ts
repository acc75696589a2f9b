import { JsonComment, startsComment } from '../../../json/json-comment.ts';
import { repairs } from '../../../json/json-reports.ts';
import type { SchemaView } from '../../../json/schema.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { Fence } from '../../parser/documentation/fenced-code.ts';
import type { CallOpener, OpenValue } from '../../parser/grammar.ts';
import type { RepairOf } from '../../parser/markers/repaired-literals.ts';
import { type Look, lookFor, type Scanner } from '../../parser/scanner.ts';
import type { MarkerRepairs } from '../../table/marker-repairs.ts';
import type { AfterArgumentsForm, FieldReader } from './call-arguments.ts';
import { CallFields } from './call-fields.ts';
import { type CallKeys, endsInKey, readKey } from './call-keys.ts';

/** Where the JSON begins, and what was found before it. */
export interface Body {
  readonly at: number;
  /** The tool that a header names; empty when it says none. A name in the JSON counts for more. */
  readonly header?: string;
  /** The JSON is in a Markdown fence. */
  readonly inFence?: boolean;
}

/** Reads objects whose keys are names of tools. */
export interface KeyedCalls {
  /** The key that one in the object stands for: that of the arguments, after which the name is known. */
  keyOf(key: string, fields: CallFields): string;
  /** Index of the key of another call, after the comma that is at the scanner. */
  next(scanner: Scanner, fields: CallFields): number | 'no' | 'more';
}

/** Does a call open at `index`, where an object does? */
export type Guard = (scanner: Scanner, index: number) => Look;

/** What opens calls without an opener. `ends`: what ends a call, or opens another one, beside its closers. */
export type BareCalls = (form: JsonForm, ends: readonly string[]) => readonly CallOpener[];

/** How a dialect writes calls as JSON objects, one by one or in a list. */
export interface JsonForm {
  /** Before the object or list. */
  readonly openers: readonly Omit<CallOpener, 'open'>[];
  /** Reads what is between an opener, which ends at `start`, and the JSON. Default: white space. */
  readonly readBetween?: ((scanner: Scanner, start: number, opener: string) => Body | 'no' | 'more') | undefined;
  /** After it; may be missing, since the JSON's own balance ends a call. */
  readonly closers: readonly string[];
  /** Servers take the closer away as a stop token, so its absence is nothing to report. Default false. */
  readonly closerOptional?: boolean | undefined;
  /** Says what is wrong with a closer after its opener: of many openers and closers most are never met. Default: nothing. */
  readonly closerRepair?: MarkerRepairs['closer'] | undefined;
  /** The keys of name, arguments and id where they are not the common ones, which count beside them. */
  readonly keys?: Partial<CallKeys> | undefined;
  /** The keys of an object are names of tools: `{"NAME": {…}}`. Default: they are those of `keys`. */
  readonly keyed?: KeyedCalls | undefined;
  /** May the arguments that begin at the scanner be the schema of a tool? Then all of them are seen first. Default: no. */
  readonly mayDefine?: ((scanner: Scanner, schema: SchemaView) => Look) | undefined;
  /** A Markdown fence may be around the JSON. */
  readonly fence?: Fence | undefined;
  /** What comes after the opener is often no call: it counts only where this says so. */
  readonly guard?: Guard | undefined;
  /** Finds calls without an opener. Default: there are none. */
  readonly bare?: BareCalls | undefined;
}

/** A form with the opener that was found, and what was found after it. */
export interface JsonBlock extends JsonForm, Omit<Body, 'at'> {
  readonly opener: string;
  /** What is wrong with a marker of the grammar that is written so. Default: nothing. */
  readonly repairOf?: RepairOf | undefined;
  readonly keys: CallKeys;
  /** What comes after the arguments of a call. */
  readonly after: AfterArgumentsForm;
}

/** What stands next in the call's object. */
type State =
  /** The opening brace. */
  | 'object'
  /** After the brace or a comma: a key, or the closing brace. */
  | 'key'
  | 'colon'
  /** After the colon: the first character of the value. */
  | 'value'
  /** Inside the value. */
  | 'in-value'
  /** After a value: a comma or the closing brace. */
  | 'comma'
  /** After the closing brace of an object that was opened with two. */
  | 'second-brace';

/**
 * How far the object has been read. `on`: it goes on with what has come. `again`: it is a call, and another one is here, in the same braces.
 * `calls`: it is a message, and the first call of its list begins at the scanner; when the list is closed, it is read
 * on. `unclosed`: the input is over, and nothing but the brace is missing.
 */
type ObjectProgress = 'on' | 'more' | 'done' | 'again' | 'calls' | 'unclosed' | 'broken';

/** What a call's object is read with. */
interface CallObjectOptions {
  readonly call: CallWriter;
  /** It is in a list. */
  readonly inList: boolean;
  /** The name that is outside of the object, too. Default: none. */
  readonly header?: string | undefined;
}

/** Reads the object of one call, or of a message with a list of calls, field by field. */
export class CallObject {
  readonly #form: JsonBlock;
  readonly #call: CallWriter;
  readonly #inList: boolean;
  #fields: CallFields;
  #state: State = 'object';
  #doubled = false;
  /** The fields are in an object inside the call's own. */
  #inContainer = false;
  /** The object is a message, and its list of calls has come. */
  #isMessage = false;
  /** What a message says beside its calls may be in it. */
  #mayHoldText = false;
  #afterComma = false;
  #key = '';
  /** What the key begins with. */
  #quote: string | undefined;
  #value: FieldReader | undefined;
  readonly #comment: JsonComment;

  constructor(form: JsonBlock, { call, inList, header }: CallObjectOptions) {
    this.#form = form;
    this.#call = call;
    this.#inList = inList;
    this.#fields = this.#openFields(header);
    this.#comment = new JsonComment(() => call.warning('json-repaired', repairs.comment));
  }

  /** As for a call. */
  get inside(): OpenValue | undefined {
    return this.#state === 'in-value' ? this.#value?.inside : undefined;
  }

  /** Reads one part of it. */
  read(scanner: Scanner): ObjectProgress {
    if (this.#state === 'in-value') return this.#readValue(scanner);
    const inComment = this.#comment.state !== 'closed';
    scanner.at = inComment ? this.#comment.read(scanner.text, scanner.at) : scanner.skipSpace(scanner.at);
    if (this.#comment.state === 'wrong') return 'broken';
    if (scanner.at === scanner.text.length)
      return this.#comment.state !== 'closed' ? 'more' : this.#repairAtEnd(scanner);
    if (inComment) return 'on';
    if (this.#state !== 'object' && startsComment(scanner.text.charCodeAt(scanner.at))) {
      // Nothing of a comment is held back.
      this.#comment.open();
      scanner.at += 1;
      return 'on';
    }
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

  #readKey(scanner: Scanner, character: string | undefined): ObjectProgress {
    if (character === '}') {
      if (this.#afterComma) this.#call.warning('json-repaired', 'A trailing comma was left out.');
      return this.#endObject(scanner);
    }
    if (character === '{' && !this.#doubled && !this.#inContainer && !this.#fields.any) {
      this.#doubled = true;
      scanner.at += 1;
      this.#call.warning('json-repaired', 'The call was in two pairs of braces.');
      return 'on';
    }
    const key = readKey(scanner, scanner.at);
    if (typeof key === 'string') return key === 'more' || endsInKey(scanner, scanner.at) ? 'more' : 'broken';
    this.#quote = character;
    this.#key = this.#form.keyed?.keyOf(key.text, this.#fields) ?? key.text;
    scanner.at = key.end;
    this.#state = 'colon';
    return 'on';
  }

  /** Only a colon shows that a key was read. */
  #readColon(scanner: Scanner, stands: boolean): 'on' | 'broken' {
    const key = this.#quote === "'" ? repairs.quotes : repairs.key;
    if (stands && this.#quote !== '"') this.#call.warning('json-repaired', key);
    return this.#expect(scanner, stands, 'value');
  }

  #openValue(scanner: Scanner, character: string | undefined): ObjectProgress {
    if (character === '{' && !this.#inContainer && this.#fields.isContainer(this.#key)) {
      this.#inContainer = true;
      this.#mayHoldText = true;
      this.#call.aside(this.#fields.takeText(), 'lead');
      this.#afterComma = false;
      return this.#expect(scanner, true, 'key');
    }
    if (character === '[' && !this.#inContainer && !this.#isMessage && this.#fields.isWrapper(this.#key)) {
      const first = scanner.afterSpace(scanner.at + 1);
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
    // Should the first call break off, nobody would report them.
    this.#fields.finishMessage();
    return 'calls';
  }

  #readValue(scanner: Scanner): ObjectProgress {
    const value = this.#value;
    if (value === undefined) return 'broken';
    const state = value.read(scanner);
    if (state === 'open') return 'more';
    if (state === 'broken') {
      // The call's closer shows that nothing but brackets is missing.
      const closer = lookFor(scanner, scanner.at, this.#form.closers);
      if (typeof closer === 'string') return closer === 'more' ? 'more' : 'broken';
      if (!value.closeContainers()) return 'broken';
    }
    if (!this.#fields.close(this.#key, value)) return 'broken';
    this.#value = undefined;
    this.#state = 'comma';
    return 'on';
  }

  #readComma(scanner: Scanner, character: string | undefined): ObjectProgress {
    if (character === ',') return this.#readNextField(scanner);
    if (character === '}') return this.#endObject(scanner);
    if (!this.#isWhole) return 'broken';
    const bracket = this.#inList && character === ']';
    const closer = bracket ? scanner.at : lookFor(scanner, scanner.at, this.#form.closers);
    if (typeof closer === 'string') return closer === 'more' ? 'more' : 'broken';
    this.#call.warning('call-repaired', 'The brace that closes the call was missing.');
    return this.#finish();
  }

  /** After a comma: another field, or another call where keys are names. */
  #readNextField(scanner: Scanner): ObjectProgress {
    const next = this.#form.keyed?.next(scanner, this.#fields) ?? 'no';
    if (next === 'more') return 'more';
    if (next !== 'no') return this.#openNext(scanner, next);
    this.#afterComma = true;
    return this.#expect(scanner, true, 'key');
  }

  #openNext(scanner: Scanner, at: number): 'again' | 'broken' {
    if (!this.#fields.finish()) return 'broken';
    scanner.at = at;
    this.#fields = this.#openFields();
    this.#doubled = false;
    this.#state = 'key';
    return 'again';
  }

  #openFields(header?: string): CallFields {
    const { keys, after, mayDefine } = this.#form;
    return new CallFields(this.#call, { keys, after, mayDefine, header });
  }

  #endObject(scanner: Scanner): ObjectProgress {
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

  /** An object that was opened with two braces: where only the second one after it is missing, there is one reading. */
  #readSecondBrace(scanner: Scanner, character: string | undefined): ObjectProgress {
    if (character === '}') {
      scanner.at += 1;
      return 'done';
    }
    const closer = lookFor(scanner, scanner.at, this.#form.closers);
    if (closer === 'more') return 'more';
    const between = this.#inList && (character === ',' || character === ']');
    if (closer === 'no' && !between) return 'broken';
    this.#call.warning('call-repaired', 'The second brace after the call was missing.');
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
  #repairAtEnd(scanner: Scanner): 'more' | 'unclosed' {
    if (!scanner.ended || scanner.cut) return 'more';
    if (this.#state === 'second-brace') return 'unclosed';
    if (this.#state !== 'comma' || !this.#isWhole) return 'more';
    return this.#finish() === 'done' ? 'unclosed' : 'more';
  }
}
