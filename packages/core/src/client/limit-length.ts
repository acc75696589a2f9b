import type { ChatEvent } from '../chat/event.ts';
import type { CountTokens } from '../plan/setup.ts';
import type { StageFactory } from '../stream/stage.ts';

export interface LengthLimit {
  /** The most of a reply, reasoning included. */
  readonly tokens: number;
  readonly count: CountTokens;
}

/**
 * Ends what a model writes after so many tokens, for upstreams that cannot be told of a limit: the reply ends with `length`
 * there, as if the upstream had stopped. Nothing is held back. Stands in front of whoever reads calls out of text, so that
 * a call which is cut is known to be.
 */
export function createLengthLimit(limit: LengthLimit): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    const room = new Room(limit);
    let isFull = false;

    const push = (event: ChatEvent): void => {
      if (isFull) {
        if (event.type === 'message-end') sink({ ...event, finishReason: 'length' });
        else if (!('block' in event)) sink(event);
        return;
      }
      if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') {
        sink(event);
        return;
      }
      const fitting = room.take(event.text);
      if (fitting === event.text) {
        sink(event);
        return;
      }
      isFull = true;
      if (fitting !== '') sink({ ...event, text: fitting });
      sink({ type: event.type === 'text-delta' ? 'text-end' : 'reasoning-end', block: event.block });
    };
    return { push, end: () => {} };
  };
}

/** UTF-8 writes a UTF-16 unit in at most so many bytes, and no token is shorter than a byte. */
const mostTokensOfUnit = 3;

/** Longer runs without a space are counted in pieces. */
const longestUncounted = 1000;

/** What is left of a limit. Text is counted only when it might be too long, so each unit is counted a few times at most. */
class Room {
  readonly #count: CountTokens;
  /** Tokens beside those of the uncounted text. */
  #left: number;
  #uncounted = '';

  constructor({ tokens, count }: LengthLimit) {
    this.#left = tokens;
    this.#count = count;
  }

  /** The part of a text that still fits. What is left out is all of it from there on. */
  take(text: string): string {
    const all = this.#uncounted + text;
    if (all.length * mostTokensOfUnit > this.#left) {
      if (this.#count(all) > this.#left) return text.slice(0, this.#prefixOf(all).length - this.#uncounted.length);
      this.#settle(all);
    } else {
      this.#uncounted = all;
    }
    return text;
  }

  /** Counts for good what tokens of later text cannot change. */
  #settle(all: string): void {
    const space = all.lastIndexOf(' ');
    const end = space > 0 ? space : all.length > longestUncounted ? all.length : 0;
    this.#left -= this.#count(all.slice(0, end));
    this.#uncounted = all.slice(end);
  }

  /** The longest prefix that fits; at least what has left already. */
  #prefixOf(all: string): string {
    let fits = this.#uncounted.length;
    let tooLong = all.length;
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if (this.#count(all.slice(0, middle)) <= this.#left) fits = middle;
      else tooLong = middle;
    }
    return all.slice(0, isHighSurrogate(all.charCodeAt(fits - 1)) ? fits - 1 : fits);
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
