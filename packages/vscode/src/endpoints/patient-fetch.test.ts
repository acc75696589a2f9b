import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { patientFetch } from './patient-fetch.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.restoreAllMocks();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
}

it("sends and reads as fetch does, and not through Node's own", async () => {
  const own = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not this one'));
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '20' });
      response.write(`${request.method} ${request.headers['x-own']} `);
      response.end(body);
    });
  });
  const answer = await patientFetch(`${url}/x`, { method: 'POST', headers: { 'X-Own': 'yes' }, body: 'päckchen' });
  expect([answer.status, answer.headers.get('retry-after'), answer.ok]).toEqual([429, '20', false]);
  expect(await answer.text()).toBe('POST yes päckchen');
  expect(own).not.toHaveBeenCalled();
});

it('gives pieces as they come, and whoever stops reading is heard by the server', async () => {
  const leaving = { heard: false };
  const url = await serve((_, response) => {
    response.write('first');
    response.once('close', () => {
      leaving.heard = true;
    });
  });
  const reader = (await patientFetch(url)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
  await reader?.cancel();
  await expect.poll(() => leaving.heard).toBe(true);
});

it('ends by its signal, before an answer and within it', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/v1/begun') response.write('first');
  });
  const stop = new AbortController();
  const asking = patientFetch(url, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(asking).rejects.toThrow('enough');
  await expect(patientFetch(url, { signal: stop.signal })).rejects.toThrow('enough');
  const later = new AbortController();
  const answer = await patientFetch(`${url}/begun`, { signal: later.signal });
  later.abort(new Error('enough'));
  await expect(answer.text()).rejects.toThrow();
});

it('fails with the word of the system where nothing answers', async () => {
  await expect(patientFetch('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it("leaves HTTPS, and hosts without Node, to the editor's fetch", async () => {
  const own = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('its own'));
  expect(await (await patientFetch('https://127.0.0.1:9/')).text()).toBe('its own');
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  expect(await (await patientFetch('http://127.0.0.1:9/')).text()).toBe('its own');
  expect(own).toHaveBeenCalledTimes(2);
});
