import type { ChatEvent } from '../chat/event.ts';
import { JoinedExtra } from '../chat/joined-extra.ts';
import { unknownEvent } from '../chat/unknown-event.ts';
import type { Granularity } from '../plan/rules.ts';
import type { Sink, StageFactory } from '../stream/stage.ts';
import { createTextCutter, type TextCutter } from './cut-text.ts';

type Delta = Extract<ChatEvent, { readonly text: string }>;

/**
 * Cuts the deltas of text and reasoning (`text`) and of calls (`calls`) as finely as a client wants them. The pieces
 * of a block add up to the same text, and no piece ends in half a surrogate pair. What is held back leaves before its
 * block ends. What a delta tells beside its text leaves with the first piece that does.
 */
export function createDeltaCutter(options: {
  readonly text: Granularity;
  readonly calls: Granularity;
}): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    const out = new DeltaSink(sink);
    const letOut = (piece: string): void => out.piece(piece);
    const text = createTextCutter(options.text, letOut);
    const calls = createTextCutter(options.calls, letOut);

    const push = (event: ChatEvent): void => {
      switch (event.type) {
        case 'text-delta':
        case 'reasoning-delta':
          out.cut(event, text);
          return;
        case 'tool-call-delta':
          out.cut(event, calls);
          return;
        case 'text-end':
        case 'reasoning-end':
          text.end();
          out.rest(event.block);
          sink(event);
          return;
        case 'tool-call-end':
        case 'tool-call-cut':
          calls.end();
          sink(event);
          return;
        case 'message-start':
        case 'text-start':
        case 'reasoning-start':
        case 'tool-call-start':
        case 'conversation':
        case 'usage':
        case 'warning':
        case 'message-end':
        case 'error':
          sink(event);
          return;
        default:
          throw unknownEvent(event);
      }
    };
    return {
      push,
      end: () => {
        text.end();
        calls.end();
      },
    };
  };
}

/** Puts pieces back into deltas of the block that they came from; a delta that was not cut leaves as the same object. */
class DeltaSink {
  readonly #sink: Sink<ChatEvent>;
  #delta: Delta | undefined;
  /** What the deltas told whose text has not left. */
  #extra: JoinedExtra | undefined;

  constructor(sink: Sink<ChatEvent>) {
    this.#sink = sink;
  }

  cut(delta: Delta, grain: TextCutter): void {
    const extra = delta.type === 'text-delta' ? delta.extra : undefined;
    this.#delta = extra === undefined ? delta : { type: delta.type, block: delta.block, text: delta.text };
    if (extra !== undefined) {
      this.#extra ??= new JoinedExtra();
      this.#extra.add(extra);
    }
    grain.push(delta.text);
  }

  /** The text is over: what it told without any text leaves alone. */
  rest(block: number): void {
    const extra = this.#extra?.take();
    if (extra !== undefined) this.#sink({ type: 'text-delta', block, text: '', extra });
  }

  piece(text: string): void {
    const delta = this.#delta;
    if (delta === undefined) return;
    const extra = this.#extra?.take();
    if (extra !== undefined) this.#sink({ type: 'text-delta', block: delta.block, text, extra });
    else this.#sink(delta.text === text ? delta : { type: delta.type, block: delta.block, text });
  }
}
