import { chatStream, errorReply, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, expect, it } from 'vitest';
import { redactShapes } from '../../src/records/secret-shapes.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { readTool, type TestGateway } from '../start-test-gateway.ts';
import { nativeStream } from '../strict-upstream.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await upstreamForTest();
});

/** A secret that the configuration knows, and some that only their form tells. */
const configured = 'configured "word/1';
const shaped = [
  'sk-proj-abcdefghijklmnop1234',
  'sk-ant-api03-abcdefghijklmnop',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
];
const secrets = [configured, ...shaped];

async function recordsOf(gateway: TestGateway): Promise<string> {
  return (await fetch(`${gateway.url}/records?whole=true&order=asc`)).text();
}

/** No secret is in a text, in whatever form JSON may give it. */
function expectNone(text: string): void {
  for (const secret of secrets) {
    // Also not in part, or as JSON writes it.
    for (const part of [secret, JSON.stringify(secret).slice(1, -1), secret.slice(4, 14)]) {
      expect(text.includes(part), part).toBe(false);
    }
  }
}

it('A-253: no secret is recorded, wherever it stands', async () => {
  const anyModel = { toolCalling: 'native' };
  const up = {
    wire: 'openai-chat',
    baseUrl: upstream.baseUrl,
    apiKey: configured,
    anyModel,
    discovery: { enabled: false },
  };
  const config = { records: { level: 'full' }, upstreams: { up } };
  const gateway = await gatewayForTest({ config, secrets: [configured] });
  for (const secret of secrets) {
    const tool = { ...readTool, function: { ...readTool.function, description: `Use ${secret} to read.` } };
    const body = {
      model: `up/${secret}`,
      stream: true,
      tools: [tool],
      user: secret,
      metadata: { session_id: `session ${secret}` },
      messages: [
        { role: 'system', content: `The key is ${secret}.` },
        { role: 'user', content: `Mine is\n${secret}` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: secret }) } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: `KEY=${secret}\n` },
      ],
    };
    const headers = { 'user-agent': secret.slice(0, 60), 'x-api-key': secret, cookie: secret };
    upstream.next(
      // In pieces, so that no frame holds it.
      chatStream(`It is ${secret}, as you know.`, { pieces: 3, reasoning: `hm ${secret}`, id: `chatcmpl-${secret}` }),
      nativeStream([['call_9', 'read', JSON.stringify({ path: secret })]]),
      errorReply(400, `Bad key ${secret} in your request`),
    );
    for (let count = 0; count < 3; count += 1) await (await gateway.post(body, headers)).text();
  }
  const text = await recordsOf(gateway);
  const { data } = JSON.parse(text);
  expect(data).toHaveLength(3 * secrets.length);
  expectNone(text);
  // What is no secret is there all the same, also of the reply that was in pieces.
  expect(data[0].said.events.find(({ type }: { type: string }) => type === 'text-delta').text).toBe(
    'It is [secret], as you know.',
  );
  expect(data[0].said.gaps).toEqual([
    { part: 'sent.0.pieces', why: 'secret', missing: expect.any(Number) },
    { part: 'reply', why: 'secret', missing: expect.any(Number) },
  ]);
  expect(JSON.parse(data[0].said.request.body).messages[1].content).toBe('Mine is\n[secret]');
});

it.each([
  ...shaped,
  ...[
    'gho_',
    'ghp_',
    'ghs_',
    'ghu_',
    'ghr_',
    'github_pat_',
    'glpat-',
    'hf_',
    'npm_',
    'gsk_',
    'xai-',
    'xoxb-',
    'sk_live_',
    'rk_test_',
  ].map((beginning) => beginning + 'a1B2'.repeat(10)),
  `ASIA${'A1B2'.repeat(4)}`,
  `AIza${'a1B2'.repeat(9)}`,
  `ya29.${'a1B2'.repeat(9)}`,
  '-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----',
])('a text of a secret alone is known as one: %s', (secret) => {
  expect(redactShapes(secret)).toBe('[secret]');
  expect(redactShapes(`a "${secret}" b`)).toBe('a "[secret]" b');
});

it('what only resembles a secret stays', () => {
  for (const text of [
    'a task-oriented-description-of-things',
    'sk-short',
    'eyJ is how JSON begins in base64',
    'http://127.0.0.1:8080/v1?user@host',
    'the bearer of bad news',
  ]) {
    expect(redactShapes(text)).toBe(text);
  }
  expect(redactShapes('{"a":"x\\nsk-abcdefghijklmnopqr"}')).toBe('{"a":"x\\n[secret]"}');
  expect(redactShapes('postgres://me:very@secret@host/db')).not.toContain('very');
  expect(redactShapes('Authorization: Bearer abcdefghijklmnopqrst')).toBe('Authorization: Bearer [secret]');
});

it('looking for secrets takes time linear in the text, whatever it looks like', () => {
  const length = 2_000_000;
  const fill = (part: string) => part.repeat(Math.ceil(length / part.length));
  const plain = timeOf(fill('nothing of interest '));
  for (const part of [
    'eyJ',
    'eyJa.',
    'sk-',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '://a',
    '://a:',
    'Bearer ',
    'xoxb-',
  ]) {
    expect(timeOf(fill(part)), part).toBeLessThan(Math.max(1_000, plain * 60));
  }
});

function timeOf(text: string): number {
  const startedAt = performance.now();
  redactShapes(text);
  return performance.now() - startedAt;
}
