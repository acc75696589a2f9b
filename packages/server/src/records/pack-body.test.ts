import { expect, it } from 'vitest';
import type { RecordBody } from './exchange-record.ts';
import { layOut, pack, unpack } from './pack-body.ts';

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
    config: {},
    gaps: [],
  };
}

it.each<[string, object, readonly object[]]>([
  ['of the same API', { model: 'up/m', messages, tools: [] }, [{ model: 'm', messages, tools: [] }]],
  ['whose end differs', { messages, n: 1 }, [{ messages: [...messages, { role: 'user', content: 'more' }], n: 12 }]],
  [
    'whose last message differs in a digit',
    { messages: [...messages, { n: 1234 }] },
    [{ messages: [...messages, { n: 1235 }] }],
  ],
  ['asked twice', { messages }, [{ messages }, { messages: messages.slice(1) }]],
  ['of another API', { messages }, [{ prompt: 'text' }]],
  ['without a list', { prompt: 'text' }, [{ messages }]],
  ['that was sent nowhere', { messages }, []],
])('a body %s is unpacked as it was', async (_, client, sent) => {
  const body = said(client, sent);
  expect(await unpack(await pack(layOut(body)))).toEqual(body);
});

it('what the client sent and the upstream got stands once', () => {
  const { texts } = layOut(said({ model: 'up/m', messages }, [{ model: 'm', messages }]));
  expect(texts.join('').length).toBeLessThan(JSON.stringify(messages).length * 1.2);
});

it('no value is torn apart, so that a secret in it is found', () => {
  const client = { messages: [...messages, { content: 'sk-abcdefghijklmnop1' }] };
  const sent = { messages: [...messages, { content: 'sk-abcdefghijklmnop2' }] };
  const { texts } = layOut(said(client, [sent]));
  expect(texts.some((text) => text.includes('sk-abcdefghijklmnop2'))).toBe(true);
});
