import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { readTool, type TestGateway, type TestGatewayOptions } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello') });
});

interface Seen {
  readonly role: string;
  readonly content: string;
}

const user = (content: string) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const native = 'native' as const;
  const models = {
    deaf: { toolCalling: native, systemText: 'first-user' },
    twice: { toolCalling: native, systemText: 'both' },
    hears: { toolCalling: native },
    text: { toolCalling: { dialect: 'anthropic-xml' }, systemText: 'first-user' },
  };
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } };
  return gatewayForTest({ config, ...options });
}

/** Sends messages and returns the ones that the upstream saw. */
async function seenBy(gateway: TestGateway, model: string, asked: object): Promise<readonly Seen[]> {
  const response = await gateway.post({ model: `up/${model}`, ...asked });
  expect(response.status).toBe(200);
  const { messages } = JSON.parse(upstream.requests.at(-1)?.text ?? '');
  return messages;
}

const asked = { messages: [system('You are Copilot.'), user('Hi')] };
const block = '<system_context>\n=== Agent Instructions ===\nYou are Copilot.\n</system_context>\n\nHi';

describe('system text for models that read none', () => {
  it('A-060: comes before the first user message', async () => {
    const gateway = await start();
    expect(await seenBy(gateway, 'deaf', asked)).toEqual([user(block)]);
  });

  it('A-061: ENABLE_SYSTEM_INJECTION switches it on and off', async () => {
    const on = await start({ env: { ENABLE_SYSTEM_INJECTION: 'true' } });
    expect(await seenBy(on, 'deaf', asked)).toEqual([user(block)]);
    const off = await start({ env: { ENABLE_SYSTEM_INJECTION: 'false' } });
    expect(await seenBy(off, 'deaf', asked)).toEqual(asked.messages);
  });

  it('A-077: a request without any user message is refused, naming the place', async () => {
    const gateway = await start();
    const response = await gateway.post({ model: 'up/deaf', messages: [system('You are Copilot.')] });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      param: 'messages',
      message: expect.stringContaining('user'),
    });
    expect(upstream.requests).toHaveLength(0);
  });

  it('A-079: it is sent as a system message too when asked for, and not otherwise', async () => {
    const gateway = await start();
    expect(await seenBy(gateway, 'twice', asked)).toEqual([system('You are Copilot.'), user(block)]);
    expect((await seenBy(gateway, 'deaf', asked)).filter(({ role }) => role === 'system')).toEqual([]);
  });

  it('A-083 A-084: each model of an upstream has its own setting', async () => {
    const gateway = await start();
    expect(await seenBy(gateway, 'deaf', asked)).toEqual([user(block)]);
    expect(await seenBy(gateway, 'hears', asked)).toEqual(asked.messages);
  });

  it('A-085: who it is, how to call, the workspace and the rules are all in the prompt', async () => {
    const gateway = await start();
    const messages = [
      system('You are Copilot.'),
      system('The workspace is /src/app.'),
      system('Never delete a file.'),
      user('What is in main.ts?'),
    ];
    const seen = await seenBy(gateway, 'text', { messages, tools: [readTool] });
    expect(seen.map(({ role }) => role)).toEqual(['user']);
    const prompt = seen[0]?.content ?? '';
    const told = ['You are Copilot.', 'The workspace is /src/app.', 'Never delete a file.', '<invoke name=', 'read'];
    for (const text of told) expect(prompt).toContain(text);
    expect(prompt.endsWith('</system_context>\n\nWhat is in main.ts?')).toBe(true);
  });

  it('A-086 A-087: every request carries it, and changed instructions arrive once', async () => {
    const gateway = await start();
    await seenBy(gateway, 'deaf', asked);
    const later = [system('You are Ada.'), user('Hi'), { role: 'assistant', content: 'Hello' }, user('Who are you?')];
    const seen = await seenBy(gateway, 'deaf', { messages: later });
    expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const prompt = seen.map(({ content }) => content).join('\n');
    expect(prompt.split('You are Ada.')).toHaveLength(2);
    expect(prompt.split('<system_context>')).toHaveLength(2);
    expect(prompt).not.toContain('Copilot');
  });

  it('A-082: the place is one of three, any other is refused with their names', async () => {
    const models = { m: { systemText: 'markdown' } };
    const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } };
    const refused = await gatewayForTest({ config }).then(
      () => '',
      (thrown: unknown) => String(thrown),
    );
    expect(refused).toContain('upstreams.up.models.m.systemText');
    for (const name of ['system', 'first-user', 'both']) expect(refused).toContain(name);
  });

  it('A-071 A-081: the log tells how much system text was placed where, and none of it', async () => {
    const gateway = await start();
    const messages = [system('SECRET '.repeat(2000)), system('more'), user('Hi')];
    await seenBy(gateway, 'deaf', { messages });
    const record = await gateway.record((each) => each.status === 200);
    expect(record).toMatchObject({ system: { place: 'first-user', texts: 2, length: 14_004 } });
    expect(record.warnings).toEqual({ 'system-long': 1 });
    expect(JSON.stringify(record)).not.toContain('SECRET');
    await seenBy(gateway, 'hears', { messages: [user('Hi')] });
    const plain = await gateway.record((each) => each.model === 'up/hears');
    expect(plain.system).toBeUndefined();
  });
});
