import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { RecordBody } from './exchange-record.ts';
import { readRecordBody } from './read-record.ts';

/**
 * What a record says, as it is kept: its long texts stand one after the other, and what is around them is JSON, in which
 * pieces of a text are their lengths. So no text is escaped, and what is in pieces is looked through whole.
 */
export interface LaidOutBody {
  readonly frame: string;
  /** The client's body, the system text, and of each request to an upstream its body and its answer; at last what was written for the client. */
  readonly texts: readonly string[];
}

export function layOut(said: RecordBody): LaidOutBody {
  const { request, sent, reply } = said;
  const laid = sent.map((each) => ({ ...each, ...sharedWith(request.body, each.body) }));
  const frame = {
    ...said,
    request: { ...request, body: request.body.length },
    system: said.system.length,
    sent: laid.map(({ before, after, shared, ...each }) => ({
      ...each,
      body: [before.length, shared.at, shared.length, after.length],
      pieces: lengthsOf(each.pieces),
    })),
    reply: lengthsOf(reply),
  };
  const texts = [
    request.body,
    said.system,
    ...laid.flatMap(({ before, after, pieces }) => [before, after, pieces.join('')]),
    reply.join(''),
  ];
  return { frame: JSON.stringify(frame), texts };
}

/** What is sent to an upstream of the same API holds what the client sent, from its list of messages on, and stands once. */
interface SharedText {
  readonly before: string;
  /** The part that stands in the client's body: where, and how many characters. */
  readonly shared: { readonly at: number; readonly length: number };
  readonly after: string;
}

/** Shorter parts are not worth a look. */
const shortestShared = 1024;

function sharedWith(client: string, body: string): SharedText {
  const [at, from] = [client.indexOf('[{'), body.indexOf('[{')];
  const length = at < 0 || from < 0 ? 0 : commonStart(client.slice(at), body.slice(from));
  if (length < shortestShared) return { before: body, shared: { at: 0, length: 0 }, after: '' };
  return { before: body.slice(0, from), shared: { at, length }, after: body.slice(from + length) };
}

/** So many characters are the same at the beginning of both, by halves: whole parts are compared far faster than characters. */
function commonStart(one: string, other: string): number {
  let [same, most] = [0, Math.min(one.length, other.length)];
  while (same < most) {
    const middle = Math.ceil((same + most) / 2);
    if (one.slice(same, middle) === other.slice(same, middle)) same = middle;
    else most = middle - 1;
  }
  // A value that is the same only in its first digits, or a secret, is not torn apart.
  return one.slice(0, same).lastIndexOf('},{"') + 1;
}

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses it, not on this thread. The fastest way is enough: most of it are frames that are nearly the same. */
export async function pack({ frame, texts }: LaidOutBody): Promise<Uint8Array> {
  const bytes = await deflate(Buffer.from([frame, '\n', ...texts].join('')), { level: 1, chunkSize: 256 * 1024 });
  // A copy: what is handed to another thread takes its whole buffer along.
  return new Uint8Array(bytes);
}

export async function unpack(packed: Uint8Array): Promise<RecordBody> {
  const whole = (await inflate(packed)).toString('utf8');
  const end = whole.indexOf('\n');
  let at = end + 1;
  return readRecordBody(whole.slice(0, end), (length) => {
    at += length;
    return whole.slice(at - length, at);
  });
}

function lengthsOf(pieces: readonly string[]): readonly number[] {
  return pieces.map(({ length }) => length);
}
