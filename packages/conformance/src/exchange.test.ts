import { expect, it } from 'vitest';
import { ask } from './exchange.ts';

/** A server whose reply consists of these pieces, over and over when `endless`. */
function fetchOf(pieces: readonly string[], endless = false) {
  const seen = { read: 0, signal: new AbortController().signal };
  const answer: typeof fetch = async (_, init) => {
    seen.signal = init?.signal ?? seen.signal;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = pieces[endless ? seen.read % pieces.length : seen.read];
        seen.read += 1;
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    return new Response(body, { headers: { 'content-type': 'Text/Event-Stream; charset=utf-8' } });
  };
  return { seen, limits: { fetch: answer, silence: 20_000 } };
}

const request = { url: 'http://server', headers: {}, body: '{}' };

it('reads a reply whole, and its content type without parameters', async () => {
  const { limits } = fetchOf(['a', 'b']);
  expect(await ask(request, limits)).toEqual({
    kind: 'reply',
    status: 200,
    contentType: 'text/event-stream',
    text: 'ab',
  });
});

it('breaks off after the first bytes when it is asked to, and lets go of the rest', async () => {
  const { limits, seen } = fetchOf(['a', 'b', 'c', 'd', 'e']);
  expect(await ask({ ...request, breakOff: true }, limits)).toMatchObject({ kind: 'reply', text: 'a' });
  expect(seen.signal.aborted).toBe(true);
  expect(seen.read).toBeLessThan(5);
});

it('gives up on a reply that does not end', async () => {
  const { limits, seen } = fetchOf(['x'.repeat(1_000_000)], true);
  expect(await ask(request, limits)).toMatchObject({ kind: 'cut', reason: 'the reply does not end' });
  expect(seen.signal.aborted).toBe(true);
});

it('tells why a server cannot be reached', async () => {
  const failing: typeof fetch = async () => {
    throw new TypeError('fetch failed', { cause: new Error('no such host') });
  };
  expect(await ask(request, { fetch: failing, silence: 20_000 })).toEqual({
    kind: 'unreachable',
    reason: 'no such host',
  });
});
