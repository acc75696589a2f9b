import { notClosed } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { backticks } from '../../parser/documentation/fenced-code.ts';
import type { CallOpener, CallReader, CallsForm, Open, OpenValue, Progress } from '../../parser/grammar.ts';
import { type Resume, resumeAfterPairs } from '../../parser/markers/closers.ts';
import { type Look, lookBehindSpace, lookFor, type Scanner } from '../../parser/scanner.ts';
import { commonKeys, isCallKey } from './call-keys.ts';
import { type Body, CallObject, type JsonBlock, type JsonForm } from './call-object.ts';

/** A call is a JSON object with its name and arguments; a list may hold several. */
export function jsonCalls(form: JsonForm): CallsForm {
  const { openers } = form;
  return ({ ends: around, repairOf }) => {
    const ends = [...openers.map(({ literal }) => literal), ...around];
    const marked = openers.map(
      (opener): CallOpener => ({
        ...opener,
        open: openJson(blockOf(form, { opener: opener.literal, ends, repairOf })),
      }),
    );
    return { openers: [...marked, ...(form.bare?.(form, ends) ?? [])], closers: form.closers };
  };
}

/** `ends`: what ends a call, or opens another one, beside its closers. */
export function blockOf(
  form: JsonForm,
  { ends, ...opened }: Pick<JsonBlock, 'opener' | 'repairOf'> & { readonly ends: readonly string[] },
): JsonBlock {
  const { closers, fence, keyed } = form;
  const keys = { ...commonKeys, ...form.keys };
  const isKey = (key: string) => keyed !== undefined || isCallKey(key, keys);
  return { ...form, ...opened, keys, after: { closers, ends, fenced: fence !== undefined, isKey } };
}

/** Decides whether the opener opens a call: what may be between it and the JSON, and a call, come after it. */
function openJson(block: JsonBlock): Open {
  return (scanner, index, length) => {
    const start = index + length;
    const found = block.readBetween?.(scanner, start, block.opener) ?? scanner.afterSpace(start);
    if (typeof found === 'string') return found;
    return openBody(block, scanner, typeof found === 'number' ? { at: found } : found);
  };
}

/** Decides whether a call opens: an object, or a list of objects. */
export function openBody(block: JsonBlock, scanner: Scanner, { at, ...found }: Body): ReturnType<Open> {
  const inList = scanner.text[at] === '[';
  const object = inList ? scanner.afterSpace(at + 1) : at;
  if (typeof object === 'string') return object;
  const call = opensCall(block, scanner, object);
  if (call !== 'yes') return call;
  return { end: object, read: (writer) => new JsonCall({ ...block, ...found }, writer, { inList }) };
}

/** Is the object of a call at `index`? */
function opensCall({ guard }: JsonBlock, scanner: Scanner, index: number): Look {
  return scanner.text[index] === '{' ? (guard?.(scanner, index) ?? 'yes') : 'no';
}

/** What is read next. */
type State =
  /** The call's object. */
  | 'object'
  /** After the object: in a list, a comma or the closing bracket. */
  | 'list'
  /** After the list of a message: its other fields, or its closing brace. */
  | 'message'
  /** After everything: the closer. */
  | 'closer';

/** Reads one call after the other, after their opener. */
class JsonCall implements CallReader {
  readonly #form: JsonBlock;
  readonly #call: CallWriter;
  /** A list is open around calls and messages. */
  readonly #inList: boolean;
  #state: State = 'object';
  #object: CallObject;
  /** The message whose list of calls is being read. */
  #message: CallObject | undefined;

  constructor(form: JsonBlock, call: CallWriter, { inList }: { readonly inList: boolean }) {
    this.#form = form;
    this.#call = call;
    this.#inList = inList;
    this.#object = new CallObject(form, { call, inList, header: form.header });
  }

  get inside(): OpenValue | undefined {
    return this.#state === 'object' ? this.#object.inside : undefined;
  }

  read(scanner: Scanner): Progress {
    while (true) {
      const progress = this.#step(scanner);
      if (progress !== 'on') return progress;
    }
  }

  /** A missing quotation mark turns the closer, and calls after it, into a string. */
  readonly resume = (raw: string): Resume => {
    return resumeAfterPairs(raw, this.#form);
  };

  #step(scanner: Scanner): Progress | 'on' {
    switch (this.#state) {
      case 'object':
        return this.#readObject(scanner);
      case 'list':
      case 'message':
        return this.#readAround(scanner, this.#state);
      case 'closer':
        return this.#readCloser(scanner);
    }
  }

  #readObject(scanner: Scanner): Progress | 'on' {
    const progress = this.#object.read(scanner);
    switch (progress) {
      case 'calls':
        this.#message = this.#object;
        this.#object = this.#openObject();
        return 'on';
      case 'unclosed':
        return this.#endWithoutCloser();
      case 'done':
        this.#state = this.#listed ? 'list' : 'closer';
        return 'on';
      default:
        return progress;
    }
  }

  /** Calls are in a list, which may be that of a message. */
  get #listed(): boolean {
    return this.#inList || this.#message !== undefined;
  }

  /** White space stays where it is until what follows belongs to the calls: before prose it is text. */
  #readAround(scanner: Scanner, state: 'list' | 'message'): Progress | 'on' {
    const next = scanner.afterSpace(scanner.at);
    if (next === 'more') return 'more';
    if (next === 'no') return this.#endWithoutCloser();
    if (next === scanner.text.length) return scanner.cut ? 'more' : this.#endWithoutCloser();
    return state === 'list' ? this.#readList(scanner, next) : this.#readMessage(scanner, next);
  }

  #readList(scanner: Scanner, at: number): Progress | 'on' {
    const sign = scanner.text[at];
    if (sign === '{') {
      this.#call.warning('json-repaired', 'A comma between two calls was missing.');
      return this.#openNext(scanner, at);
    }
    if (sign === ',' || sign === '}') return this.#readBetween(scanner, at, sign);
    if (sign === ']') {
      scanner.at = at + 1;
      this.#state = this.#message === undefined ? 'closer' : 'message';
      return 'on';
    }
    const { closers, fence } = this.#form;
    const closer = lookFor(scanner, at, fence ? [...closers, backticks] : closers);
    if (closer === 'more') return 'more';
    if (closer === 'no') return this.#endWithoutCloser();
    this.#call.warning('call-repaired', 'The bracket that closes the list of calls was missing.');
    this.#message = undefined;
    this.#state = 'closer';
    return 'on';
  }

  /** In a list, after a call: a comma before another one, or a brace that closes nothing. */
  #readBetween(scanner: Scanner, at: number, sign: ',' | '}'): Progress | 'on' {
    const next = scanner.afterSpace(at + 1);
    if (next === 'more') return 'more';
    const after = next === 'no' ? undefined : scanner.text[next];
    if (next !== 'no' && sign === ',' && after === '{') return this.#openNext(scanner, next);
    if (sign === ',' || (after !== ',' && after !== ']')) return this.#endWithoutCloser();
    this.#reportStray();
    scanner.at = at + 1;
    return 'on';
  }

  #readMessage(scanner: Scanner, at: number): 'on' | 'more' {
    const stands = lookInMessage(scanner, at);
    if (stands === 'more') return 'more';
    if (stands === 'yes') {
      this.#object = this.#message ?? this.#object;
      this.#state = 'object';
    } else {
      this.#call.warning('call-repaired', 'The brace after the list of calls was missing.');
      this.#state = this.#inList ? 'list' : 'closer';
    }
    this.#message = undefined;
    return 'on';
  }

  #reportStray(): void {
    this.#call.warning('json-repaired', 'A closing brace or bracket too many was left out.');
  }

  #openNext(scanner: Scanner, index: number): Progress {
    scanner.at = index;
    this.#state = 'object';
    this.#object = this.#openObject();
    return 'again';
  }

  #openObject(): CallObject {
    return new CallObject(this.#form, { call: this.#call, inList: this.#listed });
  }

  #readCloser(scanner: Scanner): Progress {
    const { fence, closers, closerOptional } = this.#form;
    const next = this.#inList ? 'no' : nextInSequence(this.#form, scanner);
    if (next === 'more') return next;
    if (next !== 'no') return this.#openNext(scanner, next);
    const stray = afterStray(this.#form, scanner);
    if (stray === 'more') return 'more';
    if (stray !== 'no') {
      this.#reportStray();
      scanner.at = stray;
    }
    const from = fence?.afterCloser(scanner, scanner.at) ?? scanner.at;
    const end = from === 'more' ? from : lookBehindSpace(scanner, closers, from);
    if (end === 'more') return 'more';
    if (end === 'no') {
      if (typeof from === 'number') scanner.at = from;
      return closers.length > 0 && !closerOptional ? this.#endWithoutCloser() : 'done';
    }
    scanner.at = end;
    const repair = this.#form.closerRepair?.(scanner.text, end, this.#form);
    if (repair !== undefined) this.#call.repair(repair);
    return 'done';
  }

  #endWithoutCloser(): Progress {
    this.#call.repair(notClosed);
    return 'done';
  }
}

/**
 * Index of another object after one that is in no list, with a comma, a semicolon or white space alone between them: models put
 * several objects after one opener whatever they were taught.
 */
function nextInSequence(form: JsonBlock, scanner: Scanner): number | 'no' | 'more' {
  let next = scanner.afterSpace(scanner.at);
  const sign = typeof next === 'number' ? scanner.text[next] : undefined;
  if (typeof next === 'number' && (sign === ',' || sign === ';')) next = scanner.afterSpace(next + 1);
  if (typeof next === 'string') return next;
  const call = opensCall(form, scanner, next);
  return call === 'yes' ? next : call;
}

/**
 * Index after a closing brace or bracket that has nothing to close: one that stands, after white space, between calls that
 * are whole and their closer, or the end of the reply.
 */
function afterStray({ closers, inFence }: JsonBlock, scanner: Scanner): number | 'no' | 'more' {
  const at = scanner.afterSpace(scanner.at);
  if (typeof at === 'string') return at;
  const sign = scanner.text[at];
  if (sign !== '}' && sign !== ']') return 'no';
  const next = scanner.afterSpace(at + 1);
  if (typeof next === 'string') return next;
  const closer = lookFor(scanner, next, inFence ? [...closers, backticks] : closers);
  if (closer === 'more') return 'more';
  return closer === 'no' && next < scanner.text.length ? 'no' : at + 1;
}

/**
 * What is at `at`, after the list of calls in a message: another field, or the message's closing brace; `no` where
 * neither does.
 */
function lookInMessage(scanner: Scanner, at: number): Look {
  if (scanner.text[at] === '}') return 'yes';
  if (scanner.text[at] !== ',') return 'no';
  const next = scanner.afterSpace(at + 1);
  if (typeof next === 'string') return next;
  return `"'}`.includes(scanner.text.charAt(next)) && next < scanner.text.length ? 'yes' : 'no';
}
