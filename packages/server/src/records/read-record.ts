import type { RecordBody, RecordGap, RecordHead, SentRecord } from './exchange-record.ts';
import { type SaidPieces, wholePieces } from './said-pieces.ts';

/** A record out of its JSON text, which nobody but this program has written. */
export function readRecord(text: string): RecordHead {
  return JSON.parse(text) as RecordHead;
}

/** A text that stands among the others, as its characters, or the passages that it is: of the record's, from where on how many. */
export type LongText = number | { readonly bytes: number; readonly runs: readonly (readonly [number, number])[] };

/** A text in pieces; in older records, in which all of it stands, how many characters each has. */
export type TextInPieces = Omit<SaidPieces, 'text'> | readonly number[];

/** The passages of a record; undefined where one is gone. */
export type Passages = readonly (Uint8Array | undefined)[];

/** JSON text, or in records that are older than passages the value itself. */
type Told<Value> = LongText | Value;

/** What a body has in the place of a text, and of a text in pieces. */
type Framed = Omit<RecordBody, 'request' | 'system' | 'config' | 'past' | 'sent' | 'reply'> & {
  readonly request: Omit<RecordBody['request'], 'body'> & { readonly body: LongText };
  readonly system: LongText;
  readonly config: Told<RecordBody['config']>;
  readonly past?: Told<Exclude<RecordBody['past'], undefined>>;
  readonly sent: readonly (Omit<SentRecord, 'body' | 'pieces'> & {
    /** In records that are older than passages: characters before what it shares with the client's body, where that stands there, how many it has, and those after it. */
    readonly body: LongText | readonly [number, number, number, number];
    readonly pieces: TextInPieces;
  })[];
  readonly reply: TextInPieces;
};

/** A body out of the JSON text that `layOut` has written. `next` returns so many of the characters of its texts, in order. */
export function readRecordBody(
  frame: string,
  { next, passages }: { readonly next: (length: number) => string; readonly passages: Passages },
): RecordBody {
  const { request, system, config, past, sent, reply, ...rest } = JSON.parse(frame) as Framed;
  const gaps: RecordGap[] = [...rest.gaps];
  const long = (part: string, text: LongText): string => {
    if (typeof text === 'number') return next(text);
    const parts = text.runs.flatMap(([from, count]) => passages.slice(from, from + count));
    const found = Buffer.concat(parts.filter((each) => each !== undefined));
    if (found.length < text.bytes) gaps.push({ part, why: 'deleted', missing: text.bytes - found.length });
    return found.toString('utf8');
  };
  /** Nothing where a part of it is gone. */
  const told = <Value>(part: string, text: LongText): Value | undefined => {
    const before = gaps.length;
    const json = long(part, text);
    return gaps.length > before ? undefined : (JSON.parse(json) as Value);
  };
  const client = long('request.body', request.body);
  const body = {
    ...rest,
    request: { ...request, body: client },
    system: long('system', system),
    config: isText(config) ? (told<RecordBody['config']>('config', config) ?? {}) : config,
    ...(past === undefined ? {} : { past: isText(past) ? told<RecordBody['past']>('past', past) : past }),
    sent: sent.map((each, at) => ({
      ...each,
      body: isShared(each.body) ? joined(client, each.body, next) : long(`sent.${at}.body`, each.body),
      pieces: inPieces(each.pieces, next),
    })),
    reply: inPieces(reply, next),
  };
  return { ...body, gaps };
}

function inPieces(text: TextInPieces, next: (length: number) => string): readonly string[] {
  return 'shares' in text ? wholePieces(text, next) : text.map(next);
}

function isText(told: object | number): told is LongText {
  return typeof told === 'number' || 'runs' in told;
}

type SharedText = readonly [number, number, number, number];

function isShared(text: LongText | SharedText): text is SharedText {
  return Array.isArray(text);
}

function joined(client: string, [before, at, shared, after]: SharedText, next: (length: number) => string): string {
  return [next(before), client.slice(at, at + shared), next(after)].join('');
}
