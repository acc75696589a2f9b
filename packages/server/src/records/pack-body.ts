import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib';
import type { RecordBody, SentRecord } from './exchange-record.ts';
import { type Passage, passagesOf, shortestText } from './passages.ts';
import { plainText } from './plain-json.ts';
import { type LongText, type Passages, readRecordBody, type TextInPieces } from './read-record.ts';
import { charactersOf, type SaidPieces } from './said-pieces.ts';

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
    return this.#passages(new CutText(passagesOf(Buffer.from(text))));
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

  pieces({ text, shares, lengths }: SaidPieces): TextInPieces {
    this.#text(text);
    return { shares, lengths };
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

/** Setting up more memory costs more than it saves. */
const smallWindow = { level: 1, windowBits: 14, memLevel: 6, chunkSize: 16 * 1024 };

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Packs what stands in the record itself. */
export async function pack({ frame, texts }: LaidOutBody): Promise<Uint8Array> {
  const all = [frame, '\n', ...texts];
  const most = all.reduce((sum, { length }) => sum + length, 0) * mostBytes;
  if (most > desk.length) return packBytes(Buffer.from(all.join('')));
  const end = all.reduce((at, text) => at + desk.write(text, at), 0);
  if (end < sizes.plainRecord) return withForm(form.plain, desk.subarray(0, end));
  // A copy where another record may be written before it is packed.
  return packBytes(end < sizes.atOnce ? desk.subarray(0, end) : Buffer.from(desk.subarray(0, end)));
}

/** In UTF-8, of one UTF-16 unit. */
const mostBytes = 3;

/** Where the parts of one record are put together: to make one string of them costs more than to pack it. */
const desk = Buffer.allocUnsafeSlow(384 * 1024);

/** What the first byte of packed bytes says of the others. */
const form = { plain: 0, deflated: 1 };

/**
 * Fewer bytes are not compressed: that costs more than it saves, for what stands in a record itself a fifth of all that a small request
 * costs. Up to so many are at once: that takes a millisecond at most, and another thread costs three times as much.
 */
const sizes = { plain: 2048, plainRecord: 8192, atOnce: 128 * 1024 };

/** The fastest way is enough: most of it are frames that are nearly the same. */
const level = 1;

/** Compresses bytes, what takes longer than a moment on another thread. */
export async function packBytes(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < sizes.plain) return withForm(form.plain, bytes);
  if (bytes.length < sizes.atOnce) return withForm(form.deflated, deflateRawSync(bytes, smallWindow));
  return withForm(form.deflated, await deflate(bytes, { level, chunkSize: Math.min(bytes.length, 256 * 1024) }));
}

/** A copy: what is handed to another thread takes its whole buffer along. */
function withForm(first: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(1 + bytes.length);
  packed[0] = first;
  packed.set(bytes, 1);
  return packed;
}

async function unpackBytes(packed: Uint8Array): Promise<Uint8Array> {
  const bytes = packed.subarray(1);
  return packed[0] === form.plain ? bytes : inflate(bytes);
}

/** A body without its passages; `passages` are those of the record in order, packed: what is gone of them is a gap. */
export async function unpack(
  packed: Uint8Array,
  passages: readonly (Uint8Array | undefined)[] = [],
): Promise<RecordBody> {
  const found = await Promise.all(passages.map(async (each) => each && (await unpackBytes(each))));
  return bodyIn(Buffer.from(await unpackBytes(packed)).toString('utf8'), found);
}

/** A body as it was packed before there were passages. */
export async function unpackOld(packed: Uint8Array): Promise<RecordBody> {
  return bodyIn((await inflate(packed)).toString('utf8'), []);
}

function bodyIn(whole: string, passages: Passages): RecordBody {
  const end = whole.indexOf('\n');
  return readRecordBody(whole.slice(0, end), { passages, next: charactersOf(whole.slice(end + 1)) });
}
