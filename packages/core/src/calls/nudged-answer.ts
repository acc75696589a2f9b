import { collect } from '../chat/collect.ts';
import type { ChatEvent, Usage } from '../chat/event.ts';
import { quoteName, type Warning } from '../chat/warning.ts';
import type { Claim } from '../conversation/claiming.ts';
import { tellsUnwanted } from '../plan/call-policy.ts';
import type { RenderedRequest } from '../prepare/render-request.ts';
import type { Answer, AnswerSink } from '../upstream/answer-sink.ts';
import { HeldAnswer, heldText, isWorthMore } from '../upstream/held-answer.ts';
import { RepeatedAnswer } from '../upstream/later-answer.ts';
import type { ExchangeWatch } from '../upstream/watch-exchange.ts';
import { askedForCall, askForAnswer, askForCall, type Nudges, nudged } from './nudge.ts';

/** One of the replies that become one. */
export interface Attempt {
  readonly sink: AnswerSink;
  /** What is made of the claim at an upstream that keeps conversations. */
  readonly claimed: (claim: Claim) => Claim;
}

interface NudgedOptions {
  readonly rendered: RenderedRequest;
  readonly nudges: Nudges;
  readonly sink: AnswerSink;
  /** Asks once more what is asked now. */
  readonly render: (request: RenderedRequest['asked']) => RenderedRequest;
  readonly begin: (rendered: RenderedRequest, attempt: Attempt) => Answer;
}

type MessageEnd = ChatEvent & { readonly type: 'message-end' };
type ErrorEvent = ChatEvent & { readonly type: 'error' };

/** A reply that was no answer, in case there will be no other. */
interface Withdrawn {
  readonly events: readonly ChatEvent[];
  readonly end: MessageEnd;
}

/**
 * An answer for a request that needs a call, or JSON: a reply that lacks it is followed by another one, to a message that
 * asks for it. The client gets one reply, with the usage of both.
 *
 * - Without a call, all that was said stays, in the order in which it was written; it has been sent already.
 * - An answer that is not what was asked for is held back and left out, and the next one is delivered. The first one is
 *   delivered all the same when asking again fails, or brings less: words instead of JSON, or nothing.
 * - Where both are needed, a reply without a call is held back, too. It comes before a later call, beside which text need
 *   not be JSON; where none comes, one of the replies is delivered, since two of them are no JSON.
 */
export class NudgedAnswer extends RepeatedAnswer {
  readonly #options: NudgedOptions;
  #nudges = 0;
  /** What the client has been shown. */
  readonly #shown: ChatEvent[] = [];
  /** The first block of the reply that runs now, in the client's numbers. */
  #firstBlock = 0;
  #blocks = 0;
  #needsBreak = false;
  #held: HeldAnswer;
  #withdrawn: Withdrawn | undefined;
  #hasCalled = false;
  /** The model has written a call that is not the one that is required. */
  #hasCalledOther = false;
  #usage: Usage | undefined;
  /** Where the client's own history goes on from. */
  #claim: Claim | undefined;

  constructor(options: NudgedOptions) {
    super();
    this.#options = options;
    this.#held = this.#holding();
    this.begin(() => options.begin(options.rendered, this.#attempt()));
  }

  #attempt(): Attempt {
    const { sink } = this.#options;
    const { watch } = sink;
    const isFirst = this.#nudges === 0;
    let usage: Usage | undefined;
    const event = (each: ChatEvent): void => {
      this.#hear(each);
      if (each.type === 'usage') usage = each.usage;
      else if (each.type === 'message-end') this.#ended(each, usage);
      else if (each.type === 'error') this.#failed(each, usage);
      else if (isFirst || each.type !== 'message-start') this.#take(each);
    };
    return {
      claimed: (claim) => this.#claimed(claim),
      sink: {
        prepared: (notes, relayed) => {
          if (isFirst) sink.prepared?.(notes, relayed);
        },
        event,
        flush: () => sink.flush(),
        watch: isFirst ? watch : stillWatched(watch),
      },
    };
  }

  /** The client's next history holds one message, whatever we said in between. */
  #claimed(claim: Claim): Claim {
    const first = this.#claim;
    this.#claim ??= claim;
    if (first === undefined) return claim;
    const pointAfter: Claim['pointAfter'] = () => first.pointAfter(this.#said());
    return { ...claim, depth: first.depth, pointAfter };
  }

  #take(event: ChatEvent): void {
    const leaving = this.#held.take(event);
    const first = this.#withdrawn;
    if (event.type === 'tool-call-start' && first !== undefined && this.#options.nudges.required === 'call') {
      this.#withdrawn = undefined;
      this.#showWithdrawn(first);
    }
    this.#showAll(leaving);
  }

  #hear(event: ChatEvent): void {
    this.#hasCalled ||= event.type === 'tool-call-end';
    this.#hasCalledOther ||= tellsUnwanted(event);
  }

  #show(event: ChatEvent): void {
    const shown = this.#placed(event);
    this.#shown.push(shown);
    this.#options.sink.event(shown);
  }

  /** The event in the client's numbers. What is said after a nudge is a paragraph of its own. */
  #placed(event: ChatEvent): ChatEvent {
    if (!('block' in event)) return event;
    const block = this.#firstBlock + event.block;
    this.#blocks = block + 1;
    if (!this.#needsBreak || event.type !== 'text-delta' || event.text === '') return { ...event, block };
    this.#needsBreak = false;
    return { ...event, block, text: `\n\n${event.text}` };
  }

  /** What comes after the request now, shown or held back. */
  #said(): ReturnType<typeof collect>['content'] {
    return collect([...this.#shown, ...this.#held.events]).content;
  }

  #ended(event: MessageEnd, usage: Usage | undefined): void {
    const words = this.#nudges < this.#options.nudges.most ? this.#lacking(event) : undefined;
    if (words === undefined) {
      const first = this.#withdrawn;
      if (first !== undefined && this.#bringsLess(first, event))
        this.#deliverFirst(first, { why: this.#lessWords(), usage });
      else this.#deliver(event, usage);
      return;
    }
    this.#usage = sumUsage(this.#usage, usage);
    this.#askAgain(event, words);
  }

  /** The words that ask for what a reply of words lacks. */
  #lacking({ finishReason }: MessageEnd): string | undefined {
    const hasSpoken = this.#said().some((part) => part.type === 'text' && part.text.trim() !== '');
    if (finishReason !== 'stop' || !(hasSpoken || this.#hasCalledOther)) return undefined;
    const { nudges, rendered } = this.#options;
    if (nudges.required === 'call') return this.#hasCalled ? undefined : askForCall(rendered);
    const { missed } = this.#held;
    return missed === undefined ? undefined : askForAnswer(missed);
  }

  #askAgain(end: MessageEnd, words: string): void {
    const { rendered, render, begin, sink, nudges } = this.#options;
    const said = this.#said();
    this.#show({ type: 'warning', warning: this.#askedAgain() });
    if (nudges.holds) this.#withdraw({ events: this.#held.release(), end });
    this.#nudges += 1;
    this.#firstBlock = this.#blocks;
    this.#needsBreak = this.#held.passes;
    this.#held = this.#holding();
    const attempt = this.#attempt();
    this.repeat(attempt.sink, () => begin(render(nudged(rendered.asked, said, words)), attempt));
    sink.flush();
  }

  /** Of several replies that were no answer, the best one is kept. */
  #withdraw(reply: Withdrawn): void {
    const first = this.#withdrawn;
    const isBest = first === undefined || !isWorthMore(first, reply);
    if (first !== undefined) this.#reportLeftOut(isBest ? first : reply);
    if (isBest) this.#withdrawn = reply;
  }

  /** Shows a reply that was held back, before what of the present one has not been shown. */
  #showWithdrawn({ events }: Withdrawn): void {
    const own = this.#firstBlock;
    const before = this.#blocks;
    const begin = events.find((each) => 'block' in each);
    this.#firstBlock = before - (begin?.block ?? 0);
    this.#showAll(events);
    this.#firstBlock = own + this.#blocks - before;
    this.#needsBreak = heldText(events).trim() !== '';
  }

  #reportLeftOut({ events }: Withdrawn): void {
    const text = quoteName(heldText(events).trim());
    const message = `An answer without the call that is needed was left out: ${text}.`;
    this.#show({ type: 'warning', warning: { code: 'text-dropped', message } });
  }

  /** Asked before what is held back is let go of. */
  #askedAgain(): Warning {
    const { missed, events } = this.#held;
    if (this.#options.nudges.required === 'call' || missed === undefined) return askedForCall;
    const left = `its first answer was left out: ${quoteName(heldText(events).trim())}`;
    return { code: 'answer-nudged', message: `${missed.message} The model was asked for it once more, and ${left}.` };
  }

  /** Asking again has failed: a first answer that has been held back is better than none. */
  #failed(event: ErrorEvent, usage: Usage | undefined): void {
    const first = this.#withdrawn;
    if (first === undefined || this.#held.passes) this.#deliver(event, usage);
    else this.#deliverFirst(first, { why: `failed, so the first one was delivered: ${event.error.message}`, usage });
  }

  #bringsLess(first: Withdrawn, end: MessageEnd): boolean {
    const { events, missed, passes } = this.#held;
    const fits = events.length > 0 && missed === undefined && end.finishReason === 'stop';
    return !passes && !fits && isWorthMore(first, { events, end });
  }

  #lessWords(): string {
    const left = quoteName(heldText(this.#held.events).trim());
    return `brought less than the first one, which was delivered: ${left} was left out.`;
  }

  #deliver(end: MessageEnd | ErrorEvent, usage: Usage | undefined): void {
    const first = this.#withdrawn;
    if (first !== undefined && this.#options.nudges.required === 'call') this.#reportLeftOut(first);
    this.#showAll(this.#held.release());
    this.#end(end, usage);
  }

  #deliverFirst(first: Withdrawn, { why, usage }: { readonly why: string; readonly usage: Usage | undefined }): void {
    const { required } = this.#options.nudges;
    const message = `Asking for the ${required} once more ${why}`;
    this.#show({ type: 'warning', warning: { code: `${required}-nudged`, message } });
    this.#showWithdrawn(first);
    this.#end(first.end, usage);
  }

  #holding(): HeldAnswer {
    return new HeldAnswer({ holds: this.#options.nudges.holds });
  }

  #showAll(events: readonly ChatEvent[]): void {
    for (const each of events) this.#show(each);
  }

  #end(event: ChatEvent, usage: Usage | undefined): void {
    const all = sumUsage(this.#usage, usage);
    if (all !== undefined) this.#options.sink.event({ type: 'usage', usage: all });
    this.#options.sink.event(event);
  }
}

/** Sees what is sent from now on; what was prepared, it has been told. */
function stillWatched(watch: ExchangeWatch | undefined): ExchangeWatch | undefined {
  if (watch?.sent === undefined) return undefined;
  return { prepared: () => {}, sent: watch.sent.bind(watch) };
}

/** The usage of two replies that are one for the client. */
function sumUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const total = (a: number | undefined, b: number | undefined) =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  const all = {
    cachedInputTokens: total(one.cachedInputTokens, other.cachedInputTokens),
    cacheWriteInputTokens: total(one.cacheWriteInputTokens, other.cacheWriteInputTokens),
    reasoningTokens: total(one.reasoningTokens, other.reasoningTokens),
  };
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...Object.fromEntries(Object.entries(all).filter(([, count]) => count !== undefined)),
    source: one.source === other.source ? one.source : 'counted',
  };
}
