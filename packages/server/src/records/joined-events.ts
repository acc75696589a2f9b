import type { ChatEvent } from '@dragoman/core';
import type { RecordedEvent } from './exchange-record.ts';

type Delta = Extract<ChatEvent, { type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta' }>;

/** The events of one reply, the deltas of a block joined to one: as much as there is room for. */
export class JoinedEvents {
  readonly #room: number;
  readonly #events: ChatEvent[] = [];
  #open: Delta | undefined;
  #slices: string[] = [];
  #size = 0;
  /** Characters that were left out. */
  missing = 0;

  /** `room`: the most characters of deltas. */
  constructor(room: number) {
    this.#room = room;
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        this.#delta(event);
        return;
      default:
        this.#close();
        this.#events.push(event);
    }
  }

  /** What has come so far. */
  all(): readonly ChatEvent[] {
    this.#close();
    return this.#events;
  }

  #delta(event: Delta): void {
    this.#size += event.text.length;
    if (this.#size > this.#room) {
      this.missing += event.text.length;
      return;
    }
    // What a wire says of one slice belongs to that slice.
    const isPlain = event.type !== 'text-delta' || event.extra === undefined;
    if (this.#open?.type !== event.type || !isPlain) this.#close();
    this.#slices.push(event.text);
    this.#open ??= event;
    if (!isPlain) this.#close();
  }

  #close(): void {
    if (this.#open !== undefined) this.#events.push({ ...this.#open, text: this.#slices.join('') });
    this.#open = undefined;
    this.#slices = [];
  }
}

/** An event as it is kept: an error is data, without its stack. */
export function recordedEvent(event: ChatEvent): RecordedEvent {
  if (event.type !== 'error') return event as RecordedEvent;
  const { code, message, upstreamStatus } = event.error;
  return { type: 'error', code, message, upstreamStatus };
}
