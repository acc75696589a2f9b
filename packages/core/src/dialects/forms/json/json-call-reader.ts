import { mends } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { CallReader, Progress } from '../../parser/grammar.ts';
import { behindFenceCloser } from '../../parser/markers/fence.ts';
import { type Resume, resumeBehindPairs } from '../../parser/markers/pair-markers.ts';
import { mendBefore } from '../../parser/markers/repaired-literals.ts';
import { lookBehindSpace, type Scanner } from '../../parser/scanner.ts';
import { behindStray, lookInList, lookInMessage, nextInSequence } from './after-json-call.ts';
import { CallObject } from './json-call-object.ts';
import type { JsonBlock } from './json-form.ts';

/** What is read next. */
type State =
  /** The call's object. */
  | 'object'
  /** Behind the object: in a list, a comma or the closing bracket. */
  | 'list'
  /** Behind the list of a message: its other fields, or its closing brace. */
  | 'message'
  /** Inside the other fields. */
  | 'fields'
  /** Behind everything: the closer. */
  | 'closer';

/** Reads one call after the other, behind their opener. */
export class JsonCall implements CallReader {
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

  read(scanner: Scanner): Progress {
    while (true) {
      const progress = this.#step(scanner);
      if (progress !== 'on') return progress;
    }
  }

  /** A missing quotation mark turns the closer, and calls behind it, into a string. */
  readonly resume = (raw: string): Resume => {
    return resumeBehindPairs(raw, this.#form);
  };

  #step(scanner: Scanner): Progress | 'on' {
    switch (this.#state) {
      case 'object':
        return this.#readObject(scanner);
      case 'list':
      case 'message':
        return this.#readAround(scanner, this.#state);
      case 'fields':
        return this.#readFields(scanner);
      case 'closer':
        return this.#readCloser(scanner);
    }
  }

  #readObject(scanner: Scanner): Progress | 'on' {
    const progress = this.#object.read(scanner);
    switch (progress) {
      case 'more':
      case 'broken':
        return progress;
      case 'calls':
        this.#message = this.#object;
        this.#object = this.#openObject();
        return 'on';
      case 'next':
        return this.#openNext(scanner, scanner.at, { goesOn: true });
      case 'unclosed':
        return this.#endWithoutCloser();
      case 'done':
        this.#state = this.#stands === 'in-list' ? 'list' : 'closer';
        return 'on';
    }
  }

  /** Where calls stand: in a list, which may be that of a message, or alone. */
  get #stands(): 'in-list' | 'alone' {
    return this.#inList || this.#message !== undefined ? 'in-list' : 'alone';
  }

  /** White space stays where it is until what follows belongs to the calls: in front of prose it is text. */
  #readAround(scanner: Scanner, state: 'list' | 'message'): Progress | 'on' {
    const next = scanner.behindSpace(scanner.at);
    if (next === 'more') return 'more';
    if (next === 'no') return this.#endWithoutCloser();
    if (next === scanner.text.length) return scanner.cut ? 'more' : this.#endWithoutCloser();
    return state === 'list' ? this.#readList(scanner, next) : this.#readMessage(scanner, next);
  }

  #readList(scanner: Scanner, at: number): Progress | 'on' {
    const found = lookInList(this.#form, scanner, at);
    if (found === 'more') return 'more';
    if (found === 'no') return this.#endWithoutCloser();
    if (found === 'closer') {
      this.#call.issue('call-mended', 'The bracket that closes the list of calls was missing.');
      this.#message = undefined;
      this.#state = 'closer';
      return 'on';
    }
    if (found.kind === 'stray') this.#tellStray();
    if (found.kind === 'call') {
      if (!found.comma) this.#call.issue('json-repaired', 'A comma between two calls was missing.');
      return this.#openNext(scanner, found.at);
    }
    scanner.at = found.at;
    if (found.kind === 'end') this.#state = this.#message === undefined ? 'closer' : 'message';
    return 'on';
  }

  #readMessage(scanner: Scanner, at: number): 'on' | 'more' {
    const stands = lookInMessage(scanner, at);
    if (stands === 'more') return 'more';
    if (stands === 'yes') {
      this.#state = 'fields';
      return 'on';
    }
    this.#call.issue('call-mended', 'The brace behind the list of calls was missing.');
    this.#closeMessage();
    return 'on';
  }

  #readFields(scanner: Scanner): Progress | 'on' {
    const progress = this.#message?.read(scanner) ?? 'broken';
    if (progress === 'more') return 'more';
    if (progress === 'unclosed') return this.#endWithoutCloser();
    if (progress !== 'done') return 'broken';
    this.#closeMessage();
    return 'on';
  }

  #closeMessage(): void {
    this.#message = undefined;
    this.#state = this.#inList ? 'list' : 'closer';
  }

  #tellStray(): void {
    this.#call.issue('json-repaired', 'A closing brace or bracket too many was left out.');
  }

  #openNext(scanner: Scanner, index: number, { goesOn = false } = {}): Progress {
    scanner.at = index;
    this.#state = 'object';
    this.#object = this.#openObject(goesOn);
    return 'again';
  }

  #openObject(goesOn = false): CallObject {
    return new CallObject(this.#form, { call: this.#call, inList: this.#stands === 'in-list', goesOn });
  }

  #readCloser(scanner: Scanner): Progress {
    const { sequence, fenced, closers, closerOptional } = this.#form;
    const next = sequence === undefined || this.#inList ? 'no' : nextInSequence(this.#form, scanner, sequence);
    if (next === 'more') return next;
    if (next !== 'no') return this.#openNext(scanner, next);
    const stray = behindStray(this.#form, scanner);
    if (stray === 'more') return 'more';
    if (stray !== 'no') {
      this.#tellStray();
      scanner.at = stray;
    }
    const from = fenced ? behindFenceCloser(scanner, scanner.at) : scanner.at;
    const end = from === 'more' ? from : lookBehindSpace(scanner, closers, from);
    if (end === 'more') return 'more';
    if (end === 'no') {
      if (typeof from === 'number') scanner.at = from;
      return closers.length > 0 && !closerOptional ? this.#endWithoutCloser() : 'done';
    }
    scanner.at = end;
    const mend = mendBefore(scanner.text, end, this.#form.mended());
    if (mend !== undefined) this.#call.mend(mend);
    return 'done';
  }

  #endWithoutCloser(): Progress {
    this.#call.mend(mends.closer);
    return 'done';
  }
}
