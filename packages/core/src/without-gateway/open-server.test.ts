import { expect, it } from 'vitest';
import { openServer, type ServerAccess } from './open-server.ts';

/** A server that answers these paths, with what was asked of it. */
function server(routes: Readonly<Record<string, unknown>>) {
  const asked: { readonly path: string; readonly body: string; readonly authorization: string | null }[] = [];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    asked.push({ path: pathname, body: await request.text(), authorization: request.headers.get('authorization') });
    const body = routes[pathname];
    return body === undefined ? new Response('{}', { status: 404 }) : Response.json(body);
  };
  return { asked, answer };
}

const open = (routes: Parameters<typeof server>[0], access: Partial<ServerAccess> = {}) => {
  const { asked, answer } = server(routes);
  const options = { signal: AbortSignal.timeout(5000), fetch: answer };
  return openServer({ url: 'http://127.0.0.1:9/v1', ...access, fetch: answer }, options).then((opened) => ({
    ...opened,
    asked,
  }));
};

const ollama = {
  '/api/version': { version: '0.33.0' },
  '/api/tags': { models: [{ name: 'small:latest' }, { name: 'large' }, { name: 'embed' }] },
  '/api/show': {
    capabilities: ['completion'],
    model_info: { 'general.architecture': 'x', 'x.context_length': 40_960 },
  },
  '/api/ps': { models: [{ name: 'large', context_length: 32_768 }] },
};

it('Ollama is asked in its own API, for a window that an agent has room in', async () => {
  const { kind, models } = await open(ollama);
  expect(kind).toBe('ollama');
  expect(models.map(({ id, contextWindow }) => [id, contextWindow])).toEqual([
    ['small', 16_384],
    ['large', 32_768],
    ['embed', 16_384],
  ]);
  const named = await open(ollama, { rule: { contextWindow: 8192 } });
  expect(named.models[0]?.contextWindow).toBe(8192);
});

it('a gateway teaches its models itself, and hears the key', async () => {
  const routes = { '/api/version': { version: '0.13.4', dragoman: '0.1.0' }, '/v1/models': { data: [{ id: 'm' }] } };
  const { kind, models, asked } = await open(routes, { url: 'http://127.0.0.1:9', key: 'k-1' });
  expect([kind, models[0]?.entry.rule.toolCalling]).toEqual(['dragoman', 'native']);
  expect(asked.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/api/version', 'Bearer k-1'],
    ['/v1/models', 'Bearer k-1'],
  ]);
});

it('what was found is not asked again what it is, and tells its models where its list says most', async () => {
  const found = { kind: 'lm-studio', name: 'LM Studio', url: 'http://127.0.0.1:9', api: 'openai-chat' } as const;
  const data = [
    { id: 'qwen2-vl-7b-instruct', type: 'vlm', max_context_length: 32_768 },
    { id: 'text-embedding-nomic-embed-text-v1.5', type: 'embeddings', max_context_length: 2048 },
  ];
  const { kind, models, asked } = await open({ '/api/v0/models': { data } }, { ...found, listPath: '/api/v0/models' });
  expect([kind, asked.map(({ path }) => path)]).toEqual(['lm-studio', ['/api/v0/models']]);
  expect(models.map(({ id, contextWindow, images }) => [id, contextWindow, images])).toEqual([
    ['qwen2-vl-7b-instruct', 32_768, true],
  ]);
});

it('why there is no list, the list says', async () => {
  await expect(open({}, { name: 'Mine' })).rejects.toThrow('Mine answered 404');
  await expect(open({}, { url: 'https://api.example.com/v1' })).rejects.toThrow('The server answered 404');
});
