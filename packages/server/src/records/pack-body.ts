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
  const frame = {
    ...said,
    request: { ...request, body: request.body.length },
    system: said.system.length,
    sent: sent.map((each) => ({ ...each, body: each.body.length, pieces: lengthsOf(each.pieces) })),
    reply: lengthsOf(reply),
  };
  const texts = [
    request.body,
    said.system,
    ...sent.flatMap(({ body, pieces }) => [body, pieces.join('')]),
    reply.join(''),
  ];
  return { frame: JSON.stringify(frame), texts };
}

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses it, not on this thread. The fastest way is enough: most of it are frames that are nearly the same. */
export async function pack({ frame, texts }: LaidOutBody): Promise<Uint8Array> {
  const bytes = await deflate(Buffer.from([frame, '\n', ...texts].join('')), { level: 1 });
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
