import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { apis, ask, at } from './ask.ts';
import { type RealServer, startOllama } from './start-servers.ts';

// Built without vector instructions it reads some thirty tokens a second: windows and prompts are small.
const window = 256;
const larger = 512;
const wires = ['ollama-chat', 'openai-chat', 'openai-responses', 'anthropic-messages'] as const;
const pairs = wires.flatMap((wire) => Object.keys(apis).map((api) => [wire, api] as const));
/** More than the window has room for, and less than the larger one. */
const long = 'word '.repeat(400);

let server: RealServer;
let gateway: TestGateway;

beforeAll(async () => {
  server = await startOllama({ window });
  const upstreams = Object.fromEntries(
    wires.map((wire) => {
      const baseUrl = wire === 'ollama-chat' ? server.url : `${server.url}/v1`;
      return [wire, { wire, baseUrl, anyModel: {} }];
    }),
  );
  const models = { plain: { contextWindow: larger } };
  const asking = { wire: 'ollama-chat', baseUrl: server.url, models };
  gateway = await startTestGateway({ config: { upstreams: { ...upstreams, larger: asking } } });
});

afterAll(async () => {
  await gateway?.close();
  await server?.stop();
});

describe.each(pairs)('Ollama over %s for clients of %s', (wire, api) => {
  it('streamed and whole say the same, and an answer that is cut says so', async () => {
    const asked = { model: `${wire}/plain`, text: 'Name three colours.' };
    const whole = await ask(gateway.url, api, { ...asked, stream: false });
    const streamed = await ask(gateway.url, api, { ...asked, stream: true });
    expect(whole).toMatchObject({ status: 200, error: '', isCut: true });
    expect(whole.text).not.toBe('');
    expect(streamed).toMatchObject({ status: 200, error: '', isCut: true, text: whole.text });
  });
});

describe('the window of Ollama', () => {
  it.each(Object.keys(apis))('what does not fit is refused, and %s clients are told so', async (api) => {
    const { status, error } = await ask(gateway.url, api, { model: 'ollama-chat/plain', stream: true, text: long });
    expect(status).toBe(400);
    expect(error).toMatch(api === 'ollama-chat' ? /context/ : /context_length_exceeded|prompt is too long/);
  });

  it('an answer to half a prompt, as its Chat Completions gives it, ends with an error that has the numbers', async () => {
    const asked = { model: 'openai-chat/plain', text: long };
    const whole = await ask(gateway.url, 'openai-chat', { ...asked, stream: false });
    expect(whole).toMatchObject({ status: 400, error: expect.stringMatching(/read 2\d\d of about 4\d\d tokens/) });
    const streamed = await ask(gateway.url, 'openai-chat', { ...asked, stream: true });
    expect(streamed.error).toContain('context_length_exceeded');
  });

  it('clients are told the window that the model is loaded with, and one that a rule asks for', async () => {
    await ask(gateway.url, 'openai-chat', { model: 'ollama-chat/plain', stream: false, text: 'Hi' });
    expect(await windowOf('ollama-chat/plain')).toBe(window);
    const { status } = await ask(gateway.url, 'openai-chat', { model: 'larger/plain', stream: false, text: long });
    expect(status).toBe(200);
    expect(await windowOf('larger/plain')).toBe(larger);
    const running = await (await fetch(`${server.url}/api/ps`)).json();
    expect(at(running, 'models', 0, 'context_length')).toBe(larger);
  });

  async function windowOf(id: string): Promise<unknown> {
    const list = at(await (await fetch(`${gateway.url}/v1/models`)).json(), 'data');
    const found = Array.isArray(list) ? list.find((model) => at(model, 'id') === id) : undefined;
    return at(found, 'context_window');
  }
});
