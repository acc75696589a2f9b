import type { ChatEvent } from '../chat/event.ts';
import type { RelayTarget } from '../plan/relay.ts';
import { decodeText, readable } from '../stream/decode-text.ts';
import { runStage, type Sink, type Stage, type StageFactory } from '../stream/stage.ts';

/** A body that is read whole. Its owner bounds it. */
export class WholeBody {
  #chunks: Uint8Array[] = [];
  /** Bytes so far. */
  length = 0;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.length += chunk.length;
  }

  /** The text, once; bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    return this.read().text;
  }

  /** The same, with whether there were such bytes. */
  read(): { readonly text: string; readonly damaged: boolean } {
    const text = runStage(decodeText(), this.#chunks).join('');
    this.#chunks = [];
    return readable(text);
  }
}

/** A body as JSON; what is none stays text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * A whole answer that is passed on as it is: it is read to its end first, so that an error is still told as one, and where
 * something in it has to change or is missing, its events take the way of any other.
 */
export function relayWhole({
  reader,
  relay,
  changes,
  sink,
}: {
  readonly reader: StageFactory<Uint8Array, ChatEvent>;
  readonly relay: RelayTarget;
  /** Its events go through the stages. */
  readonly changes: () => void;
  readonly sink: Sink<ChatEvent>;
}): Stage<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const events: ChatEvent[] = [];
  const read = reader((event) => events.push(event));
  return {
    push(chunk) {
      chunks.push(chunk);
      read.push(chunk);
    },
    end(cut) {
      read.end(cut);
      if (isComplete(events)) {
        for (const chunk of chunks) relay.bytes(chunk);
        relay.over();
      } else changes();
      for (const event of events) sink(event);
    },
  };
}

/** Nothing has been repaired, and its usage, which every whole answer tells, need not be counted. */
function isComplete(events: readonly ChatEvent[]): boolean {
  const types = events.map(({ type }) => type);
  return types.includes('message-end') && types.includes('usage') && !types.includes('warning');
}
