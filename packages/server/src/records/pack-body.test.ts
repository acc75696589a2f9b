import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { RecordBody } from './exchange-record.ts';
import { layOut, pack, packBytes, unpack, unpackOld } from './pack-body.ts';
import { asSaid } from './redact-record.ts';

const messages = Array.from({ length: 40 }, (_, at) => ({
  role: 'user',
  content: `${at} "größe" \\ 😀 ${'word '.repeat(40)}`,
}));

function said(client: object, sent: readonly object[]): RecordBody {
  return {
    request: { headers: { 'user-agent': 'x' }, body: JSON.stringify(client) },
    system: 'You help.\nAlways.',
    sent: sent.map((body) => ({
      method: 'POST',
      path: '/chat/completions',
      body: JSON.stringify(body),
      pieces: ['data: {"a":1}\n\n', 'data: "\\u00e4ö"\n\n'],
    })),
    events: [{ type: 'text-delta', block: 0, text: 'Line\nbreak' }],
    calls: [],
    reply: ['data: 1\n\n', 'data: [DONE]\n\n'],
    drawn: ['1f2e'],
    created: 1,
    config: { upstreams: { up: {} } },
    gaps: [],
  };
}

const laidOut = (body: RecordBody) => layOut(asSaid(body));

/** What is read back of it, without the passages that `isGone`. */
async function readBack(body: RecordBody, isGone = (_at: number) => false) {
  const laid = laidOut(body);
  const passages = laid.passages.map(({ bytes }, at) => (isGone(at) ? undefined : packBytes(bytes)));
  return unpack(await pack(laid), await Promise.all(passages));
}

it.each<[string, object, readonly object[]]>([
  ['of the same API', { model: 'up/m', messages, tools: [] }, [{ model: 'm', messages, tools: [] }]],
  ['whose end differs', { messages, n: 1 }, [{ messages: [...messages, { role: 'user', content: 'more' }], n: 12 }]],
  ['asked twice', { messages }, [{ messages }, { messages: messages.slice(1) }]],
  ['of another API', { messages }, [{ prompt: 'text' }]],
  ['of one long text', { prompt: 'text '.repeat(10_000) }, [{ messages }]],
  ['without a list', { prompt: 'text' }, [{ messages }]],
  ['that was sent nowhere', { messages }, []],
])('a body %s is unpacked as it was', async (_, client, sent) => {
  const body = said(client, sent);
  expect(await readBack(body)).toEqual(body);
});

it('a long system text and what a stored response continues are unpacked as they were', async () => {
  const past = { history: messages, references: [{ id: 'msg_1' }] };
  const body = { ...said({ messages }, []), system: 'Ä rule.\n'.repeat(1000), past };
  expect(await readBack(body)).toEqual(body);
});

it('what the client sent and the upstream got stands once', () => {
  const { texts, passages } = laidOut(said({ model: 'up/m', messages }, [{ model: 'm', messages }]));
  const size = texts.join('').length + passages.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(size).toBeLessThan(JSON.stringify(messages).length * 1.3);
});

it('a passage that is gone is a gap, and the rest is there', async () => {
  const body = said({ messages }, []);
  const [first] = laidOut(body).passages;
  const { request, gaps } = await readBack(body, (at) => at === 0);
  expect(gaps).toEqual([{ part: 'request.body', why: 'deleted', missing: first?.bytes.length }]);
  expect(body.request.body.endsWith(request.body)).toBe(true);
  expect(request.body.length).toBeGreaterThan(5_000);
});

it('a record that is older than passages is read', async () => {
  const { request, sent, ...rest } = said({ messages }, [{ model: 'm', messages }]);
  const [first] = sent;
  const at = request.body.indexOf('[{');
  const shared = JSON.stringify(messages).length;
  const before = '{"model":"m","messages":';
  const frame = {
    ...rest,
    request: { ...request, body: request.body.length },
    system: rest.system.length,
    sent: [{ ...first, body: [before.length, at, shared, 1], pieces: [5] }],
    reply: [3, 4],
  };
  const texts = [request.body, rest.system, before, '}', 'piece', 'onetwo!'];
  const packed = deflateRawSync([JSON.stringify(frame), '\n', ...texts].join(''));
  expect(await unpackOld(packed)).toEqual({
    ...rest,
    request,
    sent: [{ ...first, pieces: ['piece'] }],
    reply: ['one', 'two!'],
  });
});
