import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { quoteName } from '../chat/warning.ts';
import { callSignature } from '../json/long-numbers.ts';
import { type Sink, type Stage, type StageFactory, through } from '../stream/stage.ts';
import { UnpairedCalls } from './unpaired-calls.ts';

/** Where a call came from: the upstream had read it by itself, or it was read out of the text. */
type Origin = 'native' | 'text';

/**
 * Around the stages that read calls out of text: some servers read a call by themselves and leave its text where it was, and
 * it would run twice. Of a call that comes natively and in the text the first one is delivered, the other one is left out
 * with a warning (`call-repeated`). Calls leave while they are written, but for those that may be the other one. Two of one
 * origin are two calls.
 */
export function createTwinCalls(reading: StageFactory<ChatEvent, ChatEvent>): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    const native = new Set<string>();
    const notice: StageFactory<ChatEvent, ChatEvent> = (next) => ({
      push: (event) => {
        if (event.type === 'tool-call-start') native.add(event.callId);
        next(event);
      },
      end: () => {},
    });
    const leaveOut: StageFactory<ChatEvent, ChatEvent> = (next) => new TwinCalls(next, native);
    return through(through(notice, reading), leaveOut)(sink);
  };
}

class TwinCalls implements Stage<ChatEvent> {
  readonly #writer: EventWriter;
  readonly #native: ReadonlySet<string>;
  readonly #single: Readonly<Record<Origin, UnpairedCalls>> = {
    native: new UnpairedCalls(),
    text: new UnpairedCalls(),
  };
  #origin: Origin = 'text';
  #name = '';
  /** The call that may be the twin of another one. */
  #held: ChatEvent[] | undefined;

  constructor(sink: Sink<ChatEvent>, native: ReadonlySet<string>) {
    this.#writer = new EventWriter(sink);
    this.#native = native;
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'tool-call-start':
        this.#begin(event);
        break;
      case 'tool-call-end':
        if (this.#isTwin(event.arguments)) return;
        this.#release();
        break;
      case 'usage':
      case 'conversation':
        this.#writer.write(event);
        return;
      case 'tool-call-delta':
      case 'warning':
        break;
      default:
        this.#release();
    }
    if (this.#held === undefined) this.#writer.write(event);
    else this.#held.push(event);
  }

  end(): void {
    this.#release();
  }

  #begin({ callId, name }: Extract<ChatEvent, { readonly type: 'tool-call-start' }>): void {
    this.#release();
    this.#origin = this.#native.has(callId) ? 'native' : 'text';
    this.#name = name;
    if (this.#others.size > 0) this.#held = [];
  }

  /** Those that the call may be the twin of. */
  get #others(): UnpairedCalls {
    return this.#single[this.#origin === 'native' ? 'text' : 'native'];
  }

  #isTwin(json: string): boolean {
    if (this.#others.size === 0 || !this.#others.take(callSignature(this.#name, json))) {
      this.#single[this.#origin].add(this.#name, json);
      return false;
    }
    this.#held = undefined;
    const message = `A call of ${quoteName(this.#name)} came natively and in the text: it was delivered once.`;
    this.#writer.warning({ code: 'call-repeated', message });
    return true;
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#writer.write(event);
  }
}
