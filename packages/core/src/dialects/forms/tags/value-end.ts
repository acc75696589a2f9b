import type { WarningCode } from '../../../chat/warning.ts';
import type { Repair } from '../../parser/call-warnings.ts';
import { type Closer, closes, LostCloser, longestTail } from '../../parser/markers/closers.ts';
import { repairBefore } from '../../parser/markers/repaired-literals.ts';
import { CharacterSet, type Look, longestGap, look, lookFor, type Scanner } from '../../parser/scanner.ts';

export const cdataOpen = '<![CDATA[';
export const cdataClose = ']]>';
/** Calls inside calls inside a value are followed this deep. */
const deepestNesting = 32;
const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const less = 60;
const bracket = 93;

/**
 * Where something is in a value. `line`: nothing but white space stands before it on its line; `glued`: a letter, a
 * digit or another sign that no mention of a marker stands after.
 */
export interface ValueEndPlace {
  readonly index: number;
  readonly line: boolean;
  readonly glued: boolean;
}

/** Does what is there show that the value should have ended before it? */
export type OpensNext = (scanner: Scanner, place: ValueEndPlace) => Look;

/** What may end a value. */
export interface ValueEndOptions {
  readonly closer: Closer;
  /** What shows that the closer is missing. Default: nothing does. */
  readonly opensNext?: OpensNext;
  /** Does the call end at this index, as only a call does that is over? Default: it does nowhere. */
  readonly endsCall?: (scanner: Scanner, index: number) => Look;
  readonly warning: (code: WarningCode, message: string) => void;
  /** Something is wrong with the closer. */
  readonly repair: (repair: Repair) => void;
}

/** Finds where a value ends that is written as text. It is asked of each character that `find` finds, in order. */
export class ValueEnd {
  /** A newline before the closer belongs to the markup. */
  padded = false;
  /** Nothing of the value leaves before its end, so markup that hides a closer can still be taken off. */
  kept = false;
  readonly #options: ValueEndOptions;
  /** What may matter in the value. */
  readonly #marks: Closer['stops'];
  /** All other characters are part of the value, outside CDATA. */
  readonly #stops: CharacterSet;
  /** These, and what is escaped in JSON. */
  readonly #signs: CharacterSet;
  /**
   * What has become part of the value last, the next one in the place of the oldest: it comes in hundreds of thousands of small
   * strings, none of them empty, and few are looked at.
   */
  readonly #tail: string[] = [];
  #next = 0;
  readonly #lost: LostCloser;
  /** Its closer is in it, before more text: nobody knows where it ends. */
  #goesOn = false;
  #inCdata = false;
  /** Closers of the calls that are inside the value, innermost last. */
  readonly #nested: (readonly string[])[] = [];

  constructor(options: ValueEndOptions) {
    this.#options = options;
    const { closer } = options;
    this.#lost = new LostCloser(closer);
    this.#marks = closer.stops;
    this.#stops = new CharacterSet([newline, carriageReturn, less]).addAll(this.#marks.starts);
    this.#signs = this.#stops.withEscaped();
  }

  /** Outside CDATA: can this text be nothing but itself, in the value and in JSON? Not all such text is told, but most. */
  isBare(text: string): boolean {
    return this.#signs.misses(text);
  }

  /** This text is part of the value. */
  pass(text: string): void {
    this.#tail[this.#next] = text;
    this.#next = (this.#next + 1) % longestTail;
  }

  /** Index of the next character from `from` on that may end the value, or the length of the text. */
  find(text: string, from: number): number {
    if (this.#inCdata) {
      const index = text.indexOf(cdataClose.charAt(0), from);
      return index < 0 ? text.length : index;
    }
    let index = this.#stops.find(text, from);
    while (index < text.length && this.#isPlain(text, index)) index = this.#stops.find(text, index + 1);
    return index;
  }

  /** What is here, and has come, is nothing but text: most lines and signs of source code. */
  #isPlain(text: string, index: number): boolean {
    const code = text.charCodeAt(index);
    if (code === newline) return this.#isPlainLine(text, index);
    if (code === carriageReturn || (code === less && this.kept)) return false;
    return this.#marks.find(text, index, false) === 'no';
  }

  /** A line ends here, and nothing that may matter begins the next one. */
  #isPlainLine(text: string, index: number): boolean {
    const { starts } = this.#marks;
    let next = index + 1;
    while (isBlank(text.charCodeAt(next)) && !starts.has(text.charCodeAt(next))) next += 1;
    if (next === text.length) return false;
    return !starts.has(text.charCodeAt(next)) || this.#marks.find(text, next, false) === 'no';
  }

  /** `on`: this character is part of the value; a number: the value ends here and its closer there. */
  stopAt(scanner: Scanner, index: number): number | 'on' | 'more' {
    const code = scanner.text.charCodeAt(index);
    if (this.#inCdata) {
      if (code !== bracket) return 'on';
      const closing = look(scanner, cdataClose, index);
      if (closing === 'yes') this.#inCdata = false;
      return closing === 'more' ? 'more' : 'on';
    }
    if (code === newline || code === carriageReturn) return this.#stopAtLine(scanner, index);
    if (!this.#marks.starts.has(code) && !(code === less && this.kept)) return 'on';
    if (this.kept) {
      const markup = look(scanner, cdataOpen, index);
      if (markup === 'yes') this.#inCdata = true;
      if (markup !== 'no') return markup === 'more' ? 'more' : 'on';
    }
    return this.#nested.length > 0 ? this.#stopInNested(scanner, index) : this.#stopAtMarkup(scanner, index);
  }

  /** At a line end, which belongs to the markup where the value is over after it. */
  #stopAtLine(scanner: Scanner, index: number): number | 'on' | 'more' {
    if (this.#nested.length > 0) return 'on';
    const length = newlineLength(scanner, index);
    if (length === 'more') return 'more';
    const line = index + length;
    if (length === 0) return 'on';
    if (scanner.wantsMore(line)) return 'more';
    if (this.padded && this.#marks.starts.has(scanner.text.charCodeAt(line))) {
      const end = this.#closesAt(scanner, line);
      if (end !== 'no') return end;
    }
    const { opensNext, endsCall } = this.#options;
    return opensNext === undefined && endsCall === undefined ? 'on' : this.#stopAtNext(scanner, line);
  }

  /** The next parameter opens on this line: the value was not closed. */
  #stopAtNext(scanner: Scanner, line: number): number | 'on' | 'more' {
    const index = afterIndentation(scanner, line);
    if (scanner.wantsMore(index)) return 'more';
    if (!this.#marks.starts.has(scanner.text.charCodeAt(index))) return 'on';
    return this.#stopUnclosed(scanner, { index, line: true, glued: false, before: line });
  }

  #stopAtMarkup(scanner: Scanner, index: number): number | 'on' | 'more' {
    const end = this.#closesAt(scanner, index);
    if (end !== 'no') return end;
    const nested = this.#options.closer.nestedCall(scanner, index);
    if (typeof nested === 'object') this.#nested.push(nested);
    if (nested !== 'no') return nested === 'more' ? 'more' : 'on';
    const before =
      index > scanner.at ? scanner.text.charAt(index - 1) : (this.#tail.at(this.#next - 1) ?? '').slice(-1);
    return this.#stopUnclosed(scanner, { index, line: false, glued: isGlue(before), before: index });
  }

  /** The next parameter opens here, or the call ends: the value was not closed. */
  #stopUnclosed(scanner: Scanner, place: ValueEndPlace & { readonly before: number }): number | 'on' | 'more' {
    const { index } = place;
    const next = this.#options.opensNext?.(scanner, place) ?? 'no';
    if (next !== 'no') return next === 'yes' ? this.#endUnclosed(index, 'the next parameter') : 'more';
    const ends = this.#goesOn ? 'no' : (this.#options.endsCall?.(scanner, index) ?? 'no');
    if (ends !== 'yes') return ends === 'more' ? 'more' : 'on';
    let tail = scanner.text.slice(scanner.at, place.before);
    for (let back = 1; back <= this.#tail.length && tail.length < longestTail; back += 1) {
      tail = this.#tail.at(this.#next - back) + tail;
    }
    if (this.#lost.endsOtherwise(tail.slice(-longestTail))) return 'on';
    const later = this.#lost.closesLater(scanner, index);
    if (later !== 'no') return later === 'more' ? 'more' : 'on';
    return this.#endUnclosed(index, 'the end of the call');
  }

  /** A closer that counts here ends the value, and what is wrong with it is reported. */
  #closesAt(scanner: Scanner, index: number): number | 'no' | 'more' {
    const end = closes(scanner, index, this.#options.closer);
    if (end === 'no') this.#goesOn ||= typeof lookFor(scanner, index, this.#options.closer.literals) === 'number';
    if (typeof end === 'string') return end;
    const repair = repairBefore(scanner.text, end, this.#options.closer.repaired ?? []);
    if (repair !== undefined) this.#options.repair(repair);
    return end;
  }

  #endUnclosed(index: number, shown: string): number {
    this.#options.warning('call-repaired', `The value was not closed; ${shown} shows where it ends.`);
    return index;
  }

  /** Inside a call that the value holds: only its end, and further calls in it, mean anything. */
  #stopInNested(scanner: Scanner, place: number): 'on' | 'more' {
    const end = lookFor(scanner, place, this.#nested.at(-1) ?? []);
    if (typeof end === 'number') this.#nested.pop();
    if (end !== 'no') return end === 'more' ? 'more' : 'on';
    const nested = this.#options.closer.nestedCall(scanner, place);
    if (typeof nested === 'object' && this.#nested.length < deepestNesting) this.#nested.push(nested);
    return nested === 'more' ? 'more' : 'on';
  }
}

/** White space, quotation marks and brackets come before what prose mentions. */
function isGlue(before: string): boolean {
  return before !== '' && !'"\'`([{<>=,:;*_~|'.includes(before) && before.trim() !== '';
}

/** Length of the line end at `index`: 0, 1 or 2. */
export function newlineLength(scanner: Scanner, index: number): number | 'more' {
  const code = scanner.text.charCodeAt(index);
  if (code === newline) return 1;
  if (code !== carriageReturn) return 0;
  if (scanner.wantsMore(index + 1)) return 'more';
  return scanner.text.charCodeAt(index + 1) === newline ? 2 : 0;
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

/** Index after the blanks that begin a line. */
function afterIndentation(scanner: Scanner, line: number): number {
  let index = line;
  for (; index < line + longestGap; index += 1) {
    if (!isBlank(scanner.text.charCodeAt(index))) return index;
  }
  return index;
}
