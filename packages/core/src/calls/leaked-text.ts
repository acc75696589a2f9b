import type { ChatEvent } from '../chat/event.ts';
import type { Warning, WarningCode } from '../chat/warning.ts';
import type { ParseWatch, Span } from '../dialects/dialect.ts';
import { plainUpTo } from '../dialects/together/read-any.ts';
import type { DragomanError } from '../errors.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import { leftOutProbabilities } from '../wires/report-dropped.ts';

type TextDelta = Extract<ChatEvent, { readonly type: 'text-delta' }>;

/** So much text without a marker is kept for the parser, in UTF-16 units; most replies need none. */
const mostUnread = 16_384;

/** A whole call that was in text. */
export interface LeakedCall {
  readonly name: string;
  readonly nativeId: string | undefined;
  /** JSON text of an object. */
  readonly arguments: string;
  /** The dialect that it was written in. */
  readonly of: string;
  /** What had to be repaired in it. */
  readonly warnings: readonly Warning[];
}

/** What a parser says of text that stays text: native models may write it. */
const aboutText: readonly WarningCode[] = [
  'call-cut',
  'call-undeclared',
  'call-surplus',
  'call-in-reasoning',
  'marker-dropped',
  'limit-reached',
];

export interface LeakedTextOptions {
  /** What reads the text; the watch is told where in it stands what is let go. */
  readonly parser: (watch: ParseWatch) => StageFactory<string, Span>;
  readonly sink: Sink<ChatEvent>;
  readonly found: (call: LeakedCall) => void;
}

/**
 * One block of text from which calls are taken out. While none has been found, its deltas pass as the very objects that
 * came, as soon as it is certain that they hold no call; a delta is cut where its end may be the beginning of one.
 */
export class LeakedText {
  readonly #options: LeakedTextOptions;
  #parser: Stage<string> | undefined;
  /** All that has come while there is no parser, and its end, which may be the beginning of a marker. */
  #unread = '';
  #unsure = '';
  readonly #block: number;
  /** Deltas that have not left, the first of them from the first undecided character on. */
  #held: TextDelta[] = [];
  /** How much of the text has left. */
  #left = 0;
  /** Up to where the text holds no call, though markers may have been left out of it: as long as no call is found, they are text. */
  #decided = 0;
  #call: { readonly span: Extract<Span, { kind: 'call' }>; readonly slices: string[] } | undefined;
  #warnings: Warning[] = [];
  #taken = false;

  constructor(block: number, options: LeakedTextOptions) {
    this.#block = block;
    this.#options = options;
  }

  /** Nothing is undecided. */
  get isClear(): boolean {
    return this.#held.length === 0;
  }

  /** A call has been taken out. */
  get taken(): boolean {
    return this.#taken;
  }

  push(delta: TextDelta): void {
    const { text } = delta;
    const isPlain = this.#parser === undefined && this.#isPlain(text);
    if (isPlain && this.#held.length === 0 && this.#unsure === '') {
      this.#left = this.#decided;
      this.#options.sink(delta);
      return;
    }
    if (!this.#taken) this.#held.push(delta);
    if (!isPlain) {
      this.#parser ??= this.#begin();
      this.#parser.push(text);
    }
    if (!this.#taken) this.#release();
  }

  /** Whether no parser is needed for it, either. */
  #isPlain(text: string): boolean {
    if (this.#unread.length + text.length > mostUnread) return false;
    const unsure = this.#unsure === '' ? text : this.#unsure + text;
    const plain = plainUpTo(unsure, this.#decided === 0);
    if (plain === undefined) return false;
    this.#unread += text;
    this.#unsure = plain === unsure.length ? '' : unsure.slice(plain);
    this.#decided += plain;
    return true;
  }

  #begin(): Stage<string> {
    const left = (to: number) => {
      this.#decided = to;
    };
    const watch: ParseWatch = { range: (_, to) => left(to), left, noticed: () => {} };
    const parser = this.#options.parser(watch)((span) => this.#span(span));
    parser.push(this.#unread);
    this.#unread = '';
    return parser;
  }

  end(cut?: DragomanError): void {
    this.#parser?.end(cut);
    for (const delta of this.#held) this.#options.sink(delta);
    this.#held = [];
  }

  #span(span: Span): void {
    switch (span.kind) {
      case 'text':
      case 'reasoning':
        this.#letGo(span.text);
        return;
      case 'call':
        this.#call = { span, slices: [] };
        this.#warnings = [];
        return;
      case 'arguments':
        this.#call?.slices.push(span.text);
        return;
      case 'call-cut':
        this.#call = undefined;
        this.#letGo(span.text);
        return;
      case 'call-end':
        this.#take(span.nativeId);
        return;
      case 'warning':
        this.#note(span.warning);
        return;
      default:
        throw new Error(`no rule for the span ${JSON.stringify(span satisfies never)}`);
    }
  }

  /** What was shown and did not run is told, since nothing else says why; where in the block it stands, no client can use. */
  #note({ code, message }: Warning): void {
    if (code === 'call-in-fence') this.#options.sink({ type: 'warning', warning: { code, message } });
    else if (!aboutText.includes(code)) this.#warnings.push({ code, message });
  }

  /** After a call the parser says what the text is; before one, the deltas say it themselves. */
  #letGo(text: string): void {
    if (this.#taken) this.#write(text);
  }

  /** Deltas that are decided leave; of the next one its decided beginning, unless something is told of it as a whole. */
  #release(): void {
    let whole = 0;
    for (const delta of this.#held) {
      if (this.#left + delta.text.length > this.#decided) break;
      this.#left += delta.text.length;
      this.#options.sink(delta);
      whole += 1;
    }
    this.#held.splice(0, whole);
    const [next] = this.#held;
    const free = this.#decided - this.#left;
    if (next === undefined || free <= 0 || next.extra !== undefined) return;
    this.#options.sink({ ...next, text: next.text.slice(0, free) });
    this.#held[0] = { ...next, text: next.text.slice(free) };
    this.#left = this.#decided;
  }

  /** A call is whole: what stood before it leaves, and from now on the parser says what the text is. */
  #take(lateId: string | undefined): void {
    const { span, slices } = this.#call ?? {};
    this.#call = undefined;
    if (span === undefined || slices === undefined) return;
    if (!this.#taken) {
      if (this.#held.some(({ extra }) => extra !== undefined)) {
        this.#options.sink({ type: 'warning', warning: leftOutProbabilities });
      }
      const held = this.#held.map(({ text }) => text).join('');
      this.#write(held.slice(0, this.#decided - this.#left));
      this.#taken = true;
      this.#held = [];
    }
    const { name, nativeId = lateId, of = '' } = span;
    this.#options.found({ name, nativeId, of, arguments: slices.join(''), warnings: this.#warnings });
  }

  #write(text: string): void {
    if (text !== '') this.#options.sink({ type: 'text-delta', block: this.#block, text });
  }
}
