import type { RecordBody, RecordHead, SentRecord } from './exchange-record.ts';

/** A record out of its JSON text, which nobody but this program has written. */
export function readRecord(text: string): RecordHead {
  return JSON.parse(text) as RecordHead;
}

/** What a body has in the place of a text, and of a text in pieces. */
type Framed = Omit<RecordBody, 'request' | 'system' | 'sent' | 'reply'> & {
  readonly request: Omit<RecordBody['request'], 'body'> & { readonly body: number };
  readonly system: number;
  readonly sent: readonly (Omit<SentRecord, 'body' | 'pieces'> & {
    /** Characters before what it shares with the client's body, where that stands there, how many it has, and those after it. */
    readonly body: readonly [number, number, number, number];
    readonly pieces: readonly number[];
  })[];
  readonly reply: readonly number[];
};

/** A body out of the JSON text that `layOut` has written. `next` returns so many of the characters of its texts, in order. */
export function readRecordBody(frame: string, next: (length: number) => string): RecordBody {
  const { request, system, sent, reply, ...rest } = JSON.parse(frame) as Framed;
  const client = next(request.body);
  return {
    ...rest,
    request: { ...request, body: client },
    system: next(system),
    sent: sent.map((each) => {
      const [before, at, shared, after] = each.body;
      const body = [next(before), client.slice(at, at + shared), next(after)].join('');
      return { ...each, body, pieces: each.pieces.map(next) };
    }),
    reply: reply.map(next),
  };
}
