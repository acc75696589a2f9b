import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;

const apis =
  ' The APIs are at /v1/chat/completions, /v1/responses, /v1/messages and /api/chat, and /v1/models lists the models.';

beforeEach(async () => {
  gateway = await gatewayForTest();
});

describe('what the APIs have besides and Dragoman does not do', () => {
  it('A-015 embeddings: the OpenAI SDK gets its own error, which says so', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' });
    const refused = client.embeddings.create({ model: 'demo', input: 'Hello' });
    await expect(refused).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(refused).rejects.toThrow('Dragoman makes no embeddings');
  });

  it('A-015 embeddings and the making of models: the Ollama SDK gets its own error, which says so', async () => {
    const ollama = new Ollama({ host: gateway.url });
    const embeddings = 'Dragoman makes no embeddings';
    await expect(ollama.embed({ model: 'demo', input: 'Hello' })).rejects.toThrow(embeddings);
    await expect(ollama.embeddings({ model: 'demo', prompt: 'Hello' })).rejects.toThrow(embeddings);
    const models = 'Dragoman runs no models';
    await expect(ollama.create({ model: 'mine', from: 'demo' })).rejects.toThrow(models);
    await expect(ollama.copy({ source: 'demo', destination: 'mine' })).rejects.toThrow(models);
    await expect(ollama.delete({ model: 'demo' })).rejects.toThrow(models);
    await expect(ollama.push({ model: 'demo' })).rejects.toThrow(models);
  });

  it('A-015 blobs too, whatever the method; a path that only begins alike is unknown as before', async () => {
    const blob = `${gateway.url}/api/blobs/sha256:29fdb92e57cf0827ded04ae6461b5931d01fa595843f55d36f5b275a52087dd2?x=1`;
    expect((await fetch(blob, { method: 'HEAD' })).status).toBe(404);
    const sent = await fetch(blob, { method: 'POST', body: 'GGUF' });
    expect([sent.status, await sent.json()]).toMatchObject([404, { error: expect.stringContaining('runs no models') }]);
    const near = await fetch(`${gateway.url}/api/embedding`, { method: 'POST', body: '{}' });
    expect(await near.json()).toMatchObject({ error: `There is no route "/api/embedding".${apis}` });
  });

  const leaveOut = ' Leave /v1 out of the base URL of this client: what it asks for has its own prefix.';
  it.each([
    ['/v1/v1/messages', leaveOut],
    ['/v1/v1/chat/completions', leaveOut],
    ['/v1/api/chat', leaveOut],
    ['/v1/v1/nothing', apis],
    ['/v1', apis],
  ])('the address %s%s', async (path, hint) => {
    const answer = await fetch(`${gateway.url}${path}?x=1`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { message: `There is no route "${path}".${hint}` } });
  });
});
