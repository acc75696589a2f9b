import { unpackBytes } from '../stores/packed-bytes.ts';
import type { RecordBody, SentRecord } from './exchange-record.ts';
import { KeptBytes } from './kept-bytes.ts';
import { type Passage, passagesOf, shortestText } from './passages.ts';
import { plainText } from './plain-json.ts';
import { type LongText, readRecordBody } from './read-record.ts';

/** A text as it was sent or came: JSON in UTF-8, or any other as a string; or as the passages that it is. */
export type SaidText = string | Uint8Array | CutText;

/** A long text in which a secret is found, as its passages. */
export class CutText {
  readonly passages: readonly Passage[];
  /** Bytes. */
  readonly length: number;

  constructor(passages: readonly Passage[]) {
    this.passages = passages;
    this.length = passages.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}

/** The same text as what may be kept: nothing of it keeps the memory that it came in. */
export function cutText(text: SaidText): string | CutText {
  if (text instanceof CutText) return text;
  if (text.length < shortestText) return wholeText(text);
  const passages = passagesOf(typeof text === 'string' ? Buffer.from(text) : text);
  const isSearchable = typeof text === 'string' || passages.every(({ isPlain }) => isPlain);
  return isSearchable ? new CutText(passages) : cutText(wholeText(text));
}

/** A text that was in pieces: all of it, and how long each of them is. */
export interface SaidPieces {
  readonly text: string;
  readonly lengths: readonly number[];
}

export function joinPieces(pieces: readonly string[]): SaidPieces {
  return { text: pieces.join(''), lengths: pieces.map(({ length }) => length) };
}

export function cutPieces({ text, lengths }: SaidPieces): readonly string[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return text.slice(at - length, at);
  });
}

/** What was said, before it is laid out. */
export interface SaidBody extends Omit<RecordBody, 'request' | 'system' | 'sent' | 'reply' | 'config'> {
  /** JSON text: it is the same for many. */
  readonly config: string;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: SaidText };
  readonly system: SaidText;
  readonly sent: readonly SaidRequest[];
  readonly reply: SaidPieces;
}

export interface SaidRequest extends Omit<SentRecord, 'body' | 'pieces'> {
  readonly body: SaidText;
  readonly pieces: SaidPieces;
}

/**
 * What a record says, as it is kept: its long texts are passages, the others stand one after the other, and what is around them
 * is JSON, in which a text is its length. So no text is escaped, and what is in pieces is looked through whole.
 */
export interface LaidOutBody {
  readonly frame: string;
  /** Whatever is in no passage: of the client's body, the system text, and of each request its body and its answer; at last what was written for the client. */
  readonly texts: readonly string[];
  /** Each once. */
  readonly passages: readonly Passage[];
}

export function layOut(said: SaidBody): LaidOutBody {
  const { request, system, config, past, point, sent, events, calls, reply, drawn, created, gaps } = said;
  const laid = new LaidOutTexts();
  const frame = {
    request: { headers: request.headers, body: laid.long(request.body) },
    system: laid.long(system),
    config: laid.shared(config),
    past: past && laid.long(JSON.stringify(past)),
    sent: sent.map(({ method, path, headers, body, answer, pieces, error }) => ({
      method,
      path,
      headers,
      body: laid.long(body),
      answer,
      pieces: laid.pieces(pieces),
      error,
    })),
    events,
    calls,
    reply: laid.pieces(reply),
    drawn,
    created,
    point,
    gaps,
  };
  return { frame: JSON.stringify(frame), texts: laid.texts, passages: laid.passages };
}

/** Mostly the next record has the same. */
let latest: { readonly text: string; readonly cut: CutText } | undefined;

class LaidOutTexts {
  readonly texts: string[] = [];
  readonly passages: Passage[] = [];
  readonly #places = new Map<string, number>();

  /** Its characters, or its bytes with the passages that it is: where they begin in the list of all, and how many follow each other. */
  long(text: SaidText): LongText {
    const cut = cutText(text);
    return typeof cut === 'string' ? this.#text(cut) : this.#passages(cut);
  }

  /** A text that is shared however short it is. */
  shared(text: string): LongText {
    if (latest?.text !== text) latest = { text, cut: new CutText(passagesOf(Buffer.from(text))) };
    return this.#passages(latest.cut);
  }

  #passages({ passages, length: bytes }: CutText): LongText {
    const runs: [number, number][] = [];
    for (const passage of passages) {
      const place = this.#placeOf(passage);
      const run = runs.at(-1);
      if (run !== undefined && run[0] + run[1] === place) run[1] += 1;
      else runs.push([place, 1]);
    }
    return { bytes, runs };
  }

  pieces({ text, lengths }: SaidPieces): readonly number[] {
    this.#text(text);
    return lengths;
  }

  #text(text: string): number {
    this.texts.push(text);
    return text.length;
  }

  #placeOf(passage: Passage): number {
    const known = this.#places.get(passage.key);
    if (known !== undefined) return known;
    this.#places.set(passage.key, this.passages.length);
    return this.passages.push(passage) - 1;
  }
}

/** A text in which secrets are found. */
export function wholeText(text: SaidText): string {
  if (typeof text === 'string') return text;
  return text instanceof CutText
    ? Buffer.concat(text.passages.map(({ bytes }) => bytes)).toString('utf8')
    : plainText(text);
}

/** What stands in the record itself. */
export function bytesOf({ frame, texts }: LaidOutBody): KeptBytes {
  const bytes = new KeptBytes();
  for (const text of [frame, '\n', ...texts]) bytes.addText(text);
  return bytes;
}

/** A body without its passages; `passages` are those of the record in order, packed: what is gone of them is a gap. */
export async function unpack(
  bytes: Uint8Array,
  passages: readonly (Uint8Array | undefined)[] = [],
): Promise<RecordBody> {
  const found = await Promise.all(passages.map(async (each) => each && (await unpackBytes(each))));
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = whole.indexOf('\n');
  let at = end + 1;
  return readRecordBody(whole.slice(0, end), {
    passages: found,
    next(length) {
      at += length;
      return whole.slice(at - length, at);
    },
  });
}
