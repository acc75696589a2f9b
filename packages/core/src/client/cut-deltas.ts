import type { ChatEvent } from '../chat/event.ts';
import { JoinedExtra } from '../chat/joined-extra.ts';
import { WholeCharacters } from '../chat/whole-characters.ts';
import type { Granularity } from '../plan/rules.ts';
import type { Sink, StageFactory } from '../stream/stage.ts';

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
        default:
          sink(event);
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

/** Cuts one kind of text. `end` lets out what was held back and makes it ready for the next block. */
interface TextCutter {
  push(text: string): void;
  end(): void;
}

/** Cuts text as `granularity` says and lets the pieces into `sink`. Each character is looked at a constant number of times. */
function createTextCutter(granularity: Granularity, sink: Sink<string>): TextCutter {
  switch (granularity) {
    case 'as-written':
      return new AsWritten(sink);
    case 'whole':
      return new Pieces(sink, Number.POSITIVE_INFINITY);
    case 'characters':
      return new Pieces(sink, 1);
    case 'words':
      return new Words(sink);
    default:
      return new Pieces(sink, Math.max(1, Math.floor(granularity.size)));
  }
}

/** Lets text through as it came, but for half a character at its end. */
class AsWritten implements TextCutter {
  readonly #sink: Sink<string>;
  readonly #characters = new WholeCharacters();

  constructor(sink: Sink<string>) {
    this.#sink = sink;
  }

  push(text: string): void {
    const whole = this.#characters.push(text);
    if (whole !== '') this.#sink(whole);
  }

  end(): void {
    const half = this.#characters.flush();
    if (half !== '') this.#sink(half);
  }
}

/** Pieces of a fixed size in UTF-16 units, one more where a pair would be halved. Only a block's last one is shorter. */
class Pieces implements TextCutter {
  readonly #sink: Sink<string>;
  readonly #size: number;
  #rest = '';

  constructor(sink: Sink<string>, size: number) {
    this.#sink = sink;
    this.#size = size;
  }

  push(text: string): void {
    const waiting = this.#rest === '' ? text : this.#rest + text;
    let from = 0;
    for (;;) {
      let to = from + this.#size;
      if (to > waiting.length) break;
      if (isHigh(waiting.charCodeAt(to - 1))) {
        if (to === waiting.length) break;
        if (isLow(waiting.charCodeAt(to))) to += 1;
      }
      this.#sink(waiting.slice(from, to));
      from = to;
    }
    this.#rest = waiting.slice(from);
  }

  end(): void {
    if (this.#rest !== '') this.#sink(this.#rest);
    this.#rest = '';
  }
}

/** A word with the white space that follows it: every byte stays, and a piece leaves when the next word begins. */
class Words implements TextCutter {
  readonly #sink: Sink<string>;
  #parts: string[] = [];
  #afterSpace = false;

  constructor(sink: Sink<string>) {
    this.#sink = sink;
  }

  push(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const space = isSpace(text.charCodeAt(at));
      if (this.#afterSpace && !space) {
        this.#letOut(text.slice(from, at));
        from = at;
      }
      this.#afterSpace = space;
    }
    if (from < text.length) this.#parts.push(from === 0 ? text : text.slice(from));
  }

  end(): void {
    this.#letOut('');
    this.#afterSpace = false;
  }

  #letOut(last: string): void {
    const word = this.#parts.length === 0 ? last : this.#parts.join('') + last;
    this.#parts = [];
    if (word !== '') this.#sink(word);
  }
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
