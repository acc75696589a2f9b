import type { ChatEvent } from '../chat/event.ts';
import type { Issue, IssueCode } from '../chat/issue.ts';
import type { Span } from '../dialects/dialect.ts';
import type { GatewayError } from '../errors.ts';
import type { Sink, Stage, StageFactory } from '../stage.ts';
import { leftOutProbabilities } from '../wires/tell-dropped.ts';

type TextDelta = Extract<ChatEvent, { readonly type: 'text-delta' }>;

/** A whole call that stood in text. */
export interface LeakedCall {
  readonly name: string;
  readonly nativeId: string | undefined;
  /** JSON text of an object. */
  readonly arguments: string;
  /** The dialect that it was written in. */
  readonly of: string;
  /** What had to be mended in it. */
  readonly issues: readonly Issue[];
}

/** What a parser says of text that stays text: native models may write it. */
const aboutText: readonly IssueCode[] = [
  'call-cut',
  'call-undeclared',
  'call-surplus',
  'call-in-fence',
  'call-in-reasoning',
  'marker-dropped',
  'limit-reached',
];

export interface LeakedTextOptions {
  readonly parser: StageFactory<string, Span>;
  readonly sink: Sink<ChatEvent>;
  readonly found: (call: LeakedCall) => void;
}

/**
 * One block of text from which calls are taken out. While none has been found, its deltas pass as the very objects that
 * came, as soon as it is certain that they hold no call; a delta is cut where its end may be the beginning of one.
 */
export class LeakedText {
  readonly #options: LeakedTextOptions;
  readonly #parser: Stage<string>;
  readonly #block: number;
  /** Deltas that have not left; their text from the first undecided character on. */
  #held: TextDelta[] = [];
  #ahead = '';
  /** How much of `ahead` the parser has let go. */
  #free = 0;
  /** What the parser let go that is not what came next: it has left out a marker, and may yet find a call. */
  #apart: string[] | undefined;
  #call: { readonly span: Extract<Span, { kind: 'call' }>; readonly slices: string[] } | undefined;
  #issues: Issue[] = [];
  #taken = false;

  constructor(block: number, options: LeakedTextOptions) {
    this.#block = block;
    this.#options = options;
    this.#parser = options.parser((span) => this.#span(span));
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
    if (!this.#taken) {
      this.#held.push(delta);
      this.#ahead += delta.text;
    }
    this.#parser.push(delta.text);
    if (!this.#taken) this.#release();
  }

  end(cut?: GatewayError): void {
    this.#parser.end(cut);
    for (const delta of this.#held) this.#options.sink(delta);
    this.#forget();
  }

  #span(span: Span): void {
    switch (span.kind) {
      case 'text':
      case 'reasoning':
        this.#letGo(span.text);
        return;
      case 'call':
        this.#call = { span, slices: [] };
        this.#issues = [];
        return;
      case 'arguments':
        this.#call?.slices.push(span.text);
        return;
      case 'call-cut':
        this.#call = undefined;
        this.#letGo(span.text);
        return;
      case 'call-end':
        this.#take();
        return;
      case 'issue':
        if (!aboutText.includes(span.issue.code))
          this.#issues.push({ code: span.issue.code, message: span.issue.message });
        return;
      default:
        throw new Error(`no rule for the span ${JSON.stringify(span satisfies never)}`);
    }
  }

  #letGo(text: string): void {
    if (this.#taken) this.#write(text);
    else if (this.#apart === undefined && this.#ahead.startsWith(text, this.#free)) this.#free += text.length;
    else this.#apart = [...(this.#apart ?? []), text];
  }

  /** Deltas that are decided leave; of the next one its decided beginning, unless something is told of it as a whole. */
  #release(): void {
    let whole = 0;
    for (const delta of this.#held) {
      if (this.#free < delta.text.length) break;
      this.#free -= delta.text.length;
      this.#ahead = this.#ahead.slice(delta.text.length);
      this.#options.sink(delta);
      whole += 1;
    }
    this.#held.splice(0, whole);
    const [next] = this.#held;
    if (next === undefined || this.#free === 0 || next.extra !== undefined) return;
    this.#options.sink({ ...next, text: next.text.slice(0, this.#free) });
    this.#held[0] = { ...next, text: next.text.slice(this.#free) };
    this.#ahead = this.#ahead.slice(this.#free);
    this.#free = 0;
  }

  /** A call is whole: what stood before it leaves, and from now on the parser says what the text is. */
  #take(): void {
    const { span, slices } = this.#call ?? {};
    this.#call = undefined;
    if (span === undefined || slices === undefined) return;
    if (!this.#taken) {
      if (this.#held.some(({ extra }) => extra !== undefined)) {
        this.#options.sink({ type: 'warning', issue: leftOutProbabilities });
      }
      this.#write(this.#ahead.slice(0, this.#free) + (this.#apart ?? []).join(''));
      this.#taken = true;
      this.#forget();
    }
    const { name, nativeId, of = '' } = span;
    this.#options.found({ name, nativeId, of, arguments: slices.join(''), issues: this.#issues });
  }

  #write(text: string): void {
    if (text !== '') this.#options.sink({ type: 'text-delta', block: this.#block, text });
  }

  #forget(): void {
    this.#held = [];
    this.#ahead = '';
    this.#free = 0;
    this.#apart = undefined;
  }
}
