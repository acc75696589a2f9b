import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { type Message, unitsOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { quoteName, type Warning, type WarningCode } from '../chat/warning.ts';
import type { ParseLimits, ParseWatch, Span } from '../dialects/dialect.ts';
import { plainUpTo, readLeaks } from '../dialects/together/read-any.ts';
import { DragomanError } from '../errors.ts';
import { callSignature } from '../json/long-numbers.ts';
import { pause } from '../pause.ts';
import { onlyNamed } from '../plan/call-policy.ts';
import type { Plan } from '../plan/plan.ts';
import type { CallIds } from '../prepare/call-ids.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import type { Learning } from '../upstream/adapted-answer.ts';
import { leftOutProbabilities } from '../wires/report-dropped.ts';
import { QuotedSigns } from './plain-signs.ts';
import { UnpairedCalls } from './unpaired-calls.ts';

/** What it takes to find calls in the text of a model that calls natively. */
export interface RescueOptions {
  /** As the client sent it. */
  readonly request: ChatRequest;
  readonly limits: Partial<ParseLimits>;
  readonly callIds: CallIds;
  /** Hears of calls that only the text has. */
  readonly learning?: Pick<Learning, 'wrote'> | undefined;
}

/** Why no call is taken out of this reply's text; undefined where some may be. In words, for people. */
export function reasonAgainstRescue(
  plan: Plan,
  { request, relayed }: { readonly request: ChatRequest; readonly relayed: boolean },
): string | undefined {
  if (plan.toolCalling !== 'native') return `calls are read from text anyway, or not at all: ${plan.toolCalling}`;
  if (!plan.rule.rescue) return 'the model rule switches it off';
  if (request.tools.length === 0 || request.toolChoice === 'none') return 'the request declares no tool to be called';
  return relayed ? 'the reply passes byte for byte' : undefined;
}

/**
 * For models that call natively: whole calls whose markup has leaked into the text are delivered as calls, after everything
 * else and with a warning, unless the same call has come natively, too; then only the markup is left out. Text without such
 * a call passes as the very events that came. Nothing is taken out of reasoning, code, refusals, or where the markup may be a
 * quotation, because a user or a tool has written it.
 */
export function createRescue(options: RescueOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new Rescue(options, sink);
}

/** In UTF-16 units, some milliseconds of looking. */
const mostLooked = 1_000_000;

type TextStart = Extract<ChatEvent, { readonly type: 'text-start' }>;
type TextEnd = Extract<ChatEvent, { readonly type: 'text-end' | 'reasoning-end' }>;

class Rescue implements Stage<ChatEvent> {
  readonly #options: Pick<RescueOptions, 'callIds' | 'learning'>;
  /** Absent once a stream has begun, unless they are long: from then on the signs in them are all that is kept. */
  #messages: readonly Message[] | undefined;
  #signs: QuotedSigns | undefined;
  /** A stream whose first piece has not come. */
  #waits: boolean;
  readonly #sink: Sink<ChatEvent>;
  readonly #parser: (watch: ParseWatch) => StageFactory<string, Span>;
  #text: LeakedText | undefined;
  /** The beginning of a block of text that may turn out to hold nothing but calls. */
  #start: TextStart | undefined;
  /** The end of a block whose last characters are not decided: it may have stopped short. */
  #end: TextEnd | undefined;
  #found: LeakedCall[] = [];
  readonly #native = new UnpairedCalls();
  #nativeName = '';
  /** Blocks that held nothing but calls: every later block moves up by so much. */
  #missing = 0;
  #nextBlock = 0;

  constructor(options: RescueOptions, sink: Sink<ChatEvent>) {
    const { request, limits, callIds, learning } = options;
    this.#options = { callIds, learning };
    this.#sink = sink;
    this.#messages = request.messages;
    this.#waits = request.stream;
    this.#parser = parserFor(request, { limits, mayOpen: (literal) => this.#mayOpen(literal) });
  }

  push(event: ChatEvent): void {
    if (this.#waits && event.type.endsWith('-delta')) {
      this.#waits = false;
      void pause(0).then(() => this.#letGo());
    }
    switch (event.type) {
      case 'text-start':
        this.#endText();
        if (event.refusal === true) this.#write(event);
        else this.#beginText(event);
        return;
      case 'text-delta':
        if (this.#text === undefined) this.#write(event);
        else this.#text.push(event);
        return;
      case 'text-end':
        if (this.#text === undefined) this.#write(event);
        else this.#end = event;
        if (this.#text?.isClear === true) this.#endText();
        return;
      case 'message-end':
        this.#endText(cutOf(event.finishReason));
        this.#write(this.#deliver() > 0 ? { ...event, finishReason: called(event.finishReason) } : event);
        return;
      case 'error':
        this.#endText(event.error);
        this.#deliver();
        this.#write(event);
        return;
      case 'usage':
      case 'warning':
      case 'message-start':
      case 'conversation':
        this.#sink(event);
        return;
      default:
        this.#endText();
        this.#keepNative(event);
        this.#write(event);
    }
  }

  end(cut?: DragomanError): void {
    this.#endText(cut);
  }

  /**
   * Whether markup may open a call: not where a user or a tool has written the same, escaped or not, since the model may be
   * quoting it, and foreign text must never make calls.
   */
  #mayOpen(literal: string): boolean {
    if (this.#messages !== undefined) this.#signs ??= new QuotedSigns(this.#messages);
    return this.#signs?.has(literal) !== true;
  }

  /**
   * Once the first piece of a reply has left: a long reply does not hold the history. One that takes long to look through is kept until
   * markup asks for it, which in most replies none does; so is that of a whole answer, which is over at once.
   */
  #letGo(): void {
    if (this.#messages === undefined || unitsOf(this.#messages) > mostLooked) return;
    this.#signs = new QuotedSigns(this.#messages);
    this.#messages = undefined;
  }

  #beginText(event: TextStart): void {
    this.#start = event;
    this.#text = new LeakedText(event.block, {
      parser: this.#parser,
      sink: (each) => this.#writeText(each),
      found: (call) => this.#found.push(call),
    });
  }

  #writeText(event: ChatEvent): void {
    this.#open();
    this.#write(event);
  }

  #open(): void {
    if (this.#start !== undefined) this.#write(this.#start);
    this.#start = undefined;
  }

  /** A block of text is over; `cut`: because the reply stopped short. */
  #endText(cut?: DragomanError): void {
    const text = this.#text;
    if (text === undefined) return;
    text.end(cut);
    const end = this.#end;
    this.#text = undefined;
    this.#end = undefined;
    if (this.#start !== undefined && text.taken && end?.extra === undefined) {
      this.#start = undefined;
      this.#missing += 1;
      return;
    }
    this.#open();
    if (end !== undefined) this.#write(end);
  }

  #keepNative(event: ChatEvent): void {
    if (event.type === 'tool-call-start') this.#nativeName = event.name;
    else if (event.type === 'tool-call-end') this.#native.add(this.#nativeName, event.arguments);
  }

  #write(event: ChatEvent): void {
    if (!('block' in event)) {
      this.#sink(event);
      return;
    }
    const block = event.block - this.#missing;
    this.#nextBlock = block + 1;
    this.#sink(this.#missing === 0 ? event : { ...event, block });
  }

  /** Returns how many calls were delivered. */
  #deliver(): number {
    let delivered = 0;
    for (const call of this.#found) {
      if (this.#native.size > 0 && this.#native.take(callSignature(call.name, call.arguments))) {
        this.#warn(call, 'it has come natively, too, and the text was left out');
      } else {
        this.#warn(call, 'it was delivered as a call');
        this.#options.learning?.wrote(call.of);
        this.#deliverCall(call);
        delivered += 1;
      }
    }
    this.#found = [];
    return delivered;
  }

  #warn({ name, of }: LeakedCall, what: string): void {
    const message = `A call of ${quoteName(name)} was in the text, written in ${of}: ${what}.`;
    this.#sink({ type: 'warning', warning: { code: 'call-rescued', message } });
  }

  #deliverCall({ name, nativeId, arguments: json, warnings }: LeakedCall): void {
    const block = this.#nextBlock;
    this.#nextBlock += 1;
    const callId = this.#options.callIds.mint(name, nativeId);
    this.#sink({ type: 'tool-call-start', block, callId, name });
    this.#sink({ type: 'tool-call-delta', block, text: json });
    for (const warning of warnings) this.#sink({ type: 'warning', warning });
    this.#sink({ type: 'tool-call-end', block, arguments: json });
  }
}

function called(reason: FinishReason): FinishReason {
  return reason === 'stop' ? 'tool-calls' : reason;
}

function cutOf(reason: FinishReason): DragomanError | undefined {
  if (reason === 'stop' || reason === 'tool-calls') return undefined;
  return new DragomanError('upstream-cut', 'The reply stopped short.');
}

/** Stands by itself: what is kept as long as the reply runs shares no scope with the request. */
function parserFor(
  request: ChatRequest,
  { limits, mayOpen }: { readonly limits: Partial<ParseLimits>; readonly mayOpen: (literal: string) => boolean },
): (watch: ParseWatch) => StageFactory<string, Span> {
  const { tools } = request;
  const policy = onlyNamed(request);
  return withContext({ tools, policy, limits, mayOpen });
}

function withContext(context: Omit<Parameters<typeof readLeaks>[0], 'watch'>) {
  return (watch: ParseWatch) => readLeaks({ ...context, watch });
}

type TextDelta = Extract<ChatEvent, { readonly type: 'text-delta' }>;

/** So much text without a marker is kept for the parser, in UTF-16 units; most replies need none. */
const mostUnread = 16_384;

/** A whole call that was in text. */
interface LeakedCall {
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

interface LeakedTextOptions {
  /** What reads the text; the watch is told where in it stands what is let go. */
  readonly parser: (watch: ParseWatch) => StageFactory<string, Span>;
  readonly sink: Sink<ChatEvent>;
  readonly found: (call: LeakedCall) => void;
}

/**
 * One block of text from which calls are taken out. While none has been found, its deltas pass as the very objects that
 * came, as soon as it is certain that they hold no call; a delta is cut where its end may be the beginning of one.
 */
class LeakedText {
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
