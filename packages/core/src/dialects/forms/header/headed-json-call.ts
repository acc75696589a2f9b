import { isSpace, openBrace } from '../../../json/json-characters.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { type Repair, repairs } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { isPlainName, notInNames } from '../../parser/calls/tool-table.ts';
import { afterFenceCloser, afterFenceOpener, backticks } from '../../parser/documentation/fenced-code.ts';
import type {
  CallOpener,
  CallReader,
  CallsForm,
  Channel,
  Open,
  Opening,
  OpenValue,
  Progress,
} from '../../parser/grammar.ts';
import { type Resume, resumeAfterPairs } from '../../parser/markers/closers.ts';
import { MarkerTrie } from '../../parser/markers/marker-trie.ts';
import {
  allWhole,
  type RepairedLiterals,
  repairBefore,
  repairedClosers,
} from '../../parser/markers/repaired-literals.ts';
import { CharacterSet, type Look, lookBehindSpace, lookFor, type Scanner } from '../../parser/scanner.ts';
import { ArgumentsField } from '../json/call-arguments.ts';

/** What the header of a call says. */
export interface CallHeader {
  readonly name: string;
  /** The id that the model gave the call. */
  readonly nativeId?: string;
  /** What is wrong with the header. */
  readonly repair?: Repair | undefined;
}

/** How a dialect writes calls whose JSON arguments come after a header. */
export interface HeadedForm {
  /** Before the header. */
  readonly openers: readonly (string | Omit<CallOpener, 'open'>)[];
  /** Between header and arguments. Where one is missing, the arguments' brace ends the header, or the call's closer. */
  readonly separators: readonly string[];
  /** After the arguments; may be missing, since their balance ends the call. */
  readonly closers: readonly string[];
  /** Servers take the closer away as a stop token, so its absence is nothing to report. Default false. */
  readonly closerOptional?: boolean;
  /** A Markdown fence may be around the arguments. */
  readonly fenced?: boolean;
  /** What is wrong where arguments are there at all, as in a tag around other tags; `guarded` alone. Default: nothing. */
  readonly repair?: Repair | undefined;
  /** What shows, after the header, that the arguments are no JSON but written in another form. */
  readonly notBefore?: readonly string[];
  /** The opener is in prose, too: it counts only with arguments, or the closer, after the header. Default false. */
  readonly guarded?: boolean;
  /** What may be between the opener and its header, where no other white space could be escaped. Default: any. */
  readonly gaps?: readonly string[];
  /** The longest header, in UTF-16 units. Default 192: what is longer is prose. */
  readonly longestHeader?: number;
  /**
   * Reads the header, without white space at its edges: a call, or what channel it opens, or undefined for neither.
   * Without it the header is the name. Only a separator opens a channel.
   */
  readonly readHeader?: (header: string) => CallHeader | Omit<Channel, 'end'> | undefined;
}

const longestByDefault = 192;

/** What ends a header, beside a brace. After a call that closes there stand no arguments. */
interface HeaderEnd {
  readonly kind: 'separator' | 'closer';
  /** What is wrong with one that is written so. */
  readonly repair?: Repair | undefined;
}

/** A header with the name, and perhaps an id, then JSON arguments. */
export function headedCalls(form: HeadedForm): CallsForm {
  const { separators, closers } = form;
  return ({ ends, repairOf = allWhole }) => {
    const headerEnds = new MarkerTrie<HeaderEnd>([
      ...separators.map((literal) => [literal, { kind: 'separator', repair: repairOf(literal) }] as const),
      ...closers.map((literal) => [literal, { kind: 'closer' }] as const),
    ]);
    const openers = form.openers.map((given): CallOpener => {
      const opener = typeof given === 'string' ? { literal: given } : given;
      const { literal } = opener;
      const block = { ...form, ends, opener: literal, repaired: repairedClosers(literal, closers, repairOf) };
      return { ...opener, open: openHeaded(block, headerEnds) };
    });
    return { openers, closers };
  };
}

/** A form with the opener that was found. */
interface HeadedBlock extends HeadedForm {
  readonly opener: string;
  /** What ends a call beside its closers. */
  readonly ends: readonly string[];
  /** What is wrong with closers after it. */
  readonly repaired: RepairedLiterals;
  /** The arguments are in a Markdown fence. */
  readonly inFence?: boolean;
}

/** Decides whether the opener opens a call or a channel: a header comes after it, and what ends one. */
function openHeaded(block: HeadedBlock, headerEnds: MarkerTrie<HeaderEnd>): Open {
  const stops = new CharacterSet([openBrace]).addAll(headerEnds.starts);
  if (block.readHeader === undefined) stops.addAll(notInNames);
  return (scanner, index, length) => {
    const start = index + length;
    const { text } = scanner;
    const { longestHeader = longestByDefault } = block;
    const limit = Math.min(start + longestHeader + 1, text.length);
    // What comes after white space is looked at, too: a name is over there.
    const next = (at: number) => (isSpace(text.charCodeAt(at)) ? at + 1 : stops.find(text, at + 1, limit));
    for (let at = stops.find(text, start, limit); at - start <= longestHeader; at = next(at)) {
      if (scanner.wantsMore(at)) return 'more';
      if (at >= text.length) return 'no';
      const found = headerEnds.find(text, at, scanner.ended);
      if (found === 'more') return 'more';
      if (found === 'no' && text[at] !== '{') {
        // A header that is the name is over sooner than one that is prose.
        if (block.readHeader === undefined && cannotName(text, start, at)) return 'no';
        continue;
      }
      const written = text.slice(start, at);
      if (!mayAfter(block.gaps, written)) return 'no';
      const header = (block.readHeader ?? nameOf)(written.trim());
      const separated = found !== 'no' && found.value.kind === 'separator';
      const end = separated ? at + found.length : at;
      if (header === undefined) return 'no';
      if ('name' in header) {
        const opening = openArguments(block, { scanner, header, start, end });
        const lacks = found === 'no' && block.separators.length > 0;
        const ending = lacks ? repairs.separator : found === 'no' ? undefined : found.value.repair;
        const repair = ending ?? header.repair;
        return repair === undefined || typeof opening === 'string'
          ? opening
          : { ...opening, repairs: [repair, ...(opening.repairs ?? [])] };
      }
      return separated ? { ...header, end } : 'no';
    }
    return 'no';
  };
}

/** May a header come after its opener with what it begins with? */
function mayAfter(gaps: readonly string[] | undefined, written: string): boolean {
  return gaps === undefined || gaps.includes(written.slice(0, written.length - written.trimStart().length));
}

/** No name goes on with the character at `at`: names hold neither such a one nor white space. */
function cannotName(text: string, start: number, at: number): boolean {
  if (isSpace(text.charCodeAt(at))) return false;
  if (!isPlainName(text.charAt(at))) return true;
  return isSpace(text.charCodeAt(at - 1)) && text.slice(start, at).trim() !== '';
}

function nameOf(header: string): CallHeader {
  return { name: header };
}

function openArguments(
  block: HeadedBlock,
  {
    scanner,
    header,
    start,
    end,
  }: { readonly scanner: Scanner; readonly header: CallHeader; readonly start: number; readonly end: number },
): Opening | 'no' | 'more' {
  if (!isPlainName(header.name)) return 'no';
  const opening = (at: number) => {
    // What opens the fence may be a part of the header.
    const inFence = block.fenced === true && scanner.text.slice(start, at).includes(backticks);
    const read = (call: CallWriter) => new HeadedCall({ ...block, inFence }, call, header);
    return { end: at, read, repairs: block.repair !== undefined && hasArguments(scanner, at) ? [block.repair] : [] };
  };
  const other = lookBehindSpace(scanner, block.notBefore ?? [], end);
  if (other !== 'no') return other === 'more' ? 'more' : 'no';
  const body = block.fenced ? afterFence(scanner, end) : end;
  if (typeof body === 'string') return body;
  const stands = block.guarded ? lookArguments(scanner, body, block.closers) : 'yes';
  return stands === 'yes' ? opening(body) : stands;
}

/** Index after white space and the fence's opener that may come after it. */
function afterFence(scanner: Scanner, index: number): number | 'no' | 'more' {
  const next = scanner.afterSpace(index);
  return typeof next === 'number' ? afterFenceOpener(scanner, next) : next;
}

/**
 * Do arguments come after white space at `from`: an object, a string that holds one, or what stands for none? Prose
 * about calls has none of them after a header. Where the reply is over, the call broke off.
 */
function lookArguments(scanner: Scanner, from: number, closers: readonly string[]): Look {
  const { text } = scanner;
  const index = scanner.afterSpace(from);
  if (typeof index === 'string') return index;
  const first = text[index];
  if (first === undefined || first === '{') return 'yes';
  if (first === '"' || first === "'") return lookInString(scanner, index);
  const none = lookFor(scanner, index, [...closers, 'null']);
  return typeof none === 'number' ? 'yes' : none;
}

/** Whether an object or a string comes after white space at `from`, where something stands. */
function hasArguments({ text }: Scanner, from: number): boolean {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return ['{', '"', "'"].includes(text.charAt(at));
}

/** Does the string at `index` begin with an object, or an escape before one, or is it empty? */
function lookInString(scanner: Scanner, index: number): Look {
  const next = scanner.afterSpace(index + 1);
  if (typeof next === 'string') return next;
  const { text } = scanner;
  const character = text[next];
  return character === '{' || character === '\\' || character === text[index] ? 'yes' : 'no';
}

class HeadedCall implements CallReader {
  readonly #form: HeadedBlock;
  readonly #call: CallWriter;
  readonly #arguments: ArgumentsField;
  #opened = false;

  constructor(form: HeadedBlock, call: CallWriter, header: CallHeader) {
    this.#form = form;
    this.#call = call;
    const schema: SchemaView = call.named(header.name, { nativeId: header.nativeId });
    const { closers, ends, opener, fenced } = form;
    const after = { closers, ends: [opener, ...ends], fenced };
    this.#arguments = new ArgumentsField(call, { schema, after });
  }

  get inside(): OpenValue | undefined {
    return this.#arguments.inside;
  }

  read(scanner: Scanner): Progress {
    if (!this.#opened) {
      const empty = this.#readEmpty(scanner);
      if (empty !== 'no') return empty;
      this.#opened = true;
    }
    if (this.#arguments.state === 'open' && this.#arguments.read(scanner) === 'open') return 'more';
    return this.#arguments.state === 'broken' ? this.#repairBeforeCloser(scanner) : this.#readCloser(scanner);
  }

  /** The closer is where closing brackets are missing: it shows that nothing else is. */
  #repairBeforeCloser(scanner: Scanner): Progress {
    const end = this.#lookCloser(scanner);
    if (end === 'more') return 'more';
    if (end === 'no' || !this.#arguments.closeContainers()) return 'broken';
    this.#call.warning('call-repaired', 'A bracket that closes the arguments was missing.');
    return this.#closeAt(scanner, end);
  }

  /** A closer ends here. */
  #closeAt(scanner: Scanner, end: number): Progress {
    scanner.at = end;
    const repair = repairBefore(scanner.text, end, this.#form.repaired);
    if (repair !== undefined) this.#call.repair(repair);
    return 'done';
  }

  /** A missing quotation mark turns the closer, and calls after it, into a string. */
  readonly resume = (raw: string): Resume => {
    return resumeAfterPairs(raw, this.#form);
  };

  /** No arguments at all: the closer is where they should be. */
  #readEmpty(scanner: Scanner): Progress | 'no' {
    scanner.at = scanner.skipSpace(scanner.at);
    const end = this.#lookCloser(scanner);
    if (typeof end === 'string') return end;
    this.#arguments.end();
    return this.#closeAt(scanner, end);
  }

  #readCloser(scanner: Scanner): Progress {
    const { closers, closerOptional, fenced } = this.#form;
    const end = this.#lookCloser(scanner);
    if (end === 'more') return 'more';
    if (end !== 'no') return this.#closeAt(scanner, end);
    if (fenced) {
      const fence = afterFenceCloser(scanner, scanner.at);
      if (typeof fence === 'number') scanner.at = fence;
    }
    if (closers.length > 0 && !closerOptional) this.#call.repair(repairs.closer);
    return 'done';
  }

  /** Index after the closer, with the fence that may come before it. */
  #lookCloser(scanner: Scanner): number | 'no' | 'more' {
    const from = this.#form.fenced ? afterFenceCloser(scanner, scanner.at) : scanner.at;
    return from === 'more' ? 'more' : lookBehindSpace(scanner, this.#form.closers, from);
  }
}
