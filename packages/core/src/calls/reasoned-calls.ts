import type { ChatEvent } from '../chat/event.ts';
import { quoteName, type WarningCode } from '../chat/warning.ts';
import type { Span } from '../dialects/dialect.ts';
import { runStage, type Sink, type Stage, type StageFactory } from '../stream/stage.ts';
import { callsIn, type ParsedCall } from './found-calls.ts';
import type { ParseOptions } from './parse-text.ts';

/** Reasoning beyond this many UTF-16 units of a reply is not searched. */
const longestSearched = 1_000_000;

/** What a parser says of text that it leaves as text: not true of reasoning, which has been delivered as such. */
const aboutText: readonly WarningCode[] = [
  'call-cut',
  'call-undeclared',
  'call-surplus',
  'call-in-fence',
  'call-in-reasoning',
  'marker-dropped',
  'result-fabricated',
  'limit-reached',
];

/** The longest arguments of a call that does not run which a warning quotes, in UTF-16 units; all is in the reasoning. */
const longestTold = 1000;

/**
 * For models that hide their calls in reasoning: if a reply ends well without any call, the whole calls that are in its
 * reasoning are looked for. With `fire` they are delivered after all, in order, before the reply's end, and that is told.
 * With `candidate` they do not run, and are told by name and arguments if the reply has no answer either: it says nothing
 * but them. The reasoning itself stays as it is. A reply with a call of its own, one that was cut and one that ran into a
 * limit pass unchanged.
 *
 * `endsThinking`: the reply has ended in thinking that was never closed, of a model that ends it with its calls. Those at the
 * very end of it are delivered then.
 */
export function createReasonedCalls(
  options: ParseOptions,
  outcome: 'candidate' | 'fire',
  endsThinking: () => boolean = () => false,
): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new ReasonedCalls(sink, options, outcome === 'fire', endsThinking);
}

class ReasonedCalls implements Stage<ChatEvent> {
  readonly #options: ParseOptions;
  readonly #sink: Sink<ChatEvent>;
  /** One list of deltas for each block of reasoning. */
  readonly #thoughts: string[][] = [];
  #fires: boolean;
  readonly #endsThinking: () => boolean;
  #length = 0;
  #called = false;
  #answered = false;
  #nextBlock = 0;

  constructor(sink: Sink<ChatEvent>, options: ParseOptions, fires: boolean, endsThinking: () => boolean) {
    this.#sink = sink;
    this.#options = options;
    this.#fires = fires;
    this.#endsThinking = endsThinking;
  }

  push(event: ChatEvent): void {
    if ('block' in event) this.#nextBlock = event.block + 1;
    if (event.type === 'tool-call-end') this.#called = true;
    else if (event.type === 'text-delta') this.#answered ||= event.text.trim() !== '';
    else if (event.type === 'reasoning-start') this.#thoughts.push([]);
    else if (event.type === 'reasoning-delta') this.#keep(event.text);
    else if (event.type === 'message-end' && event.finishReason === 'stop' && !this.#called) {
      this.#sink(this.#settle() ? { ...event, finishReason: 'tool-calls' } : event);
      return;
    }
    this.#sink(event);
  }

  end(): void {}

  #keep(text: string): void {
    this.#length += text.length;
    if (this.#length <= longestSearched) this.#thoughts.at(-1)?.push(text);
  }

  /** Delivers or tells what is found. Returns whether calls were delivered. */
  #settle(): boolean {
    if (!this.#fires && this.#endsThinking() && this.#endsWithCalls()) {
      this.#fires = true;
      this.#thoughts.splice(0, this.#thoughts.length - 1);
    }
    if (!this.#fires && this.#answered) return false;
    const { callIds } = this.#options;
    let fired = false;
    for (const call of this.#found()) {
      if (this.#fires) this.#deliver(call, callIds.mint(call.name, call.nativeId));
      else this.#report(call);
      fired = this.#fires;
    }
    return fired;
  }

  /** After the first call of the last thought stands nothing but calls. */
  #endsWithCalls(): boolean {
    const spans = runStage(this.#createParser(), [this.#thoughts.at(-1)?.join('') ?? '']);
    const first = spans.findIndex(({ kind }) => kind === 'call');
    const rest = spans.slice(first).filter((span) => span.kind !== 'text' || span.text.trim() !== '');
    const ofCalls = ['call', 'arguments', 'call-end', 'warning'];
    return first >= 0 && rest.every(({ kind }) => ofCalls.includes(kind));
  }

  #createParser(): StageFactory<string, Span> {
    const { dialect, context } = this.#options;
    // What the model only thought is no answer, and ends nothing.
    const { opened: _, answered: __, over: ___, unclosed: ____, ...search } = context;
    return dialect.createParser(search);
  }

  /** The whole calls in all thoughts, as many as the policy allows. */
  *#found(): Generator<ParsedCall> {
    const most = this.#options.context.policy?.maxCalls ?? Number.POSITIVE_INFINITY;
    let found = 0;
    for (const thought of this.#thoughts) {
      const spans = runStage(this.#createParser(), [thought.join('')]);
      for (const call of callsIn(spans)) {
        if (found >= most) return;
        found += 1;
        yield call;
      }
    }
  }

  #warn(code: WarningCode, message: string): void {
    this.#sink({ type: 'warning', warning: { code, message } });
  }

  #report({ name, arguments: json }: ParsedCall): void {
    const shown = json.length > longestTold ? `${json.slice(0, longestTold)}…` : json;
    const message = `The reply holds no answer, but a call of ${quoteName(name)} in its reasoning, which was not run. Its arguments: ${shown}`;
    this.#warn('call-in-reasoning', message);
  }

  #deliver({ name, arguments: json, warnings }: ParsedCall, callId: string): void {
    for (const warning of warnings) if (!aboutText.includes(warning.code)) this.#warn(warning.code, warning.message);
    const message = `The call of ${quoteName(name)} was in reasoning and was delivered, as no other call came.`;
    this.#warn('call-in-reasoning', message);
    const block = this.#nextBlock;
    this.#nextBlock += 1;
    this.#sink({ type: 'tool-call-start', block, callId, name });
    this.#sink({ type: 'tool-call-delta', block, text: json });
    this.#sink({ type: 'tool-call-end', block, arguments: json });
  }
}
