import { expect, it } from 'vitest';
import { type FindOptions, type FoundServer, findServers } from './find-servers.ts';
import { ollamaAddress } from './local-servers.ts';

type Routes = Readonly<Record<string, unknown>>;
const list = (...data: readonly object[]) => ({ object: 'list', data });
const notFound = { status: 404, body: { detail: 'Not Found' } };

/** What servers answer, as recordings and their sources have it. */
const servers = {
  // Recorded of llama.cpp's server, one model.
  'llama.cpp': {
    '/v1/models': {
      models: [{ name: 'smollm2', capabilities: ['completion'] }],
      ...list({ id: 'smollm2', object: 'model', created: 1_795_453_731, owned_by: 'llamacpp', meta: { n_ctx: 4096 } }),
    },
    '/health': { status: 'ok' },
  },
  // Recorded of vLLM 0.32.
  vllm: {
    '/v1/models': list({ id: 'HuggingFaceTB/SmolLM2', object: 'model', owned_by: 'vllm', max_model_len: 8192 }),
    '/version': { version: '0.32.0' },
  },
  // sglang/srt/entrypoints/openai/protocol.py
  sglang: { '/v1/models': list({ id: 'qwen', object: 'model', owned_by: 'sglang', max_model_len: 40_960 }) },
  // koboldcpp.py, which answers as Ollama as well.
  koboldcpp: {
    '/api/version': { version: '0.7.0' },
    '/api/extra/version': { result: 'KoboldCpp', version: '1.99' },
    '/v1/models': list({
      id: 'koboldcpp/gemma',
      object: 'model',
      created: 1,
      owned_by: 'koboldcpp',
      root: 'koboldcpp',
    }),
  },
  // modules/api/models.py, before a model is loaded.
  'text-generation-webui': {
    '/v1/models': list(),
    '/v1/internal/model/info': { model_name: 'None', lora_names: [], loader: null },
  },
  // https://lmstudio.ai/docs/developer/rest/endpoints; what it does not know, it answers with 200.
  'lm-studio': {
    '*': { error: 'Unexpected endpoint or method. (GET /api/version)' },
    '/v1/models': list({ id: 'qwen2-vl-7b-instruct', object: 'model', owned_by: 'organization_owner' }),
    '/api/v0/models': list({ id: 'qwen2-vl-7b-instruct', object: 'model', type: 'vlm', max_context_length: 32_768 }),
  },
  // Before 0.3.6.
  'lm-studio, older': {
    '*': { error: 'Unexpected endpoint or method. (GET /api/version)' },
    '/v1/models': list({ id: 'qwen', object: 'model', owned_by: 'organization_owner' }),
  },
  // core/http/endpoints/openai/list.go and list_capabilities.go
  localai: {
    '/v1/models': list({ id: 'qwen3-4b', object: 'model' }),
    '/v1/models/capabilities': list({ id: 'qwen3-4b', object: 'model', capabilities: ['chat', 'tools'] }),
  },
  // mlx_lm/server.py: whatever begins with /v1/models is a list.
  mlx: {
    '/v1/models': list({ id: 'mlx-community/Qwen3-4B-4bit', object: 'model', created: 1_795_000_000 }),
    '/v1/models/capabilities': list(),
    '/health': { status: 'ok' },
  },
  // https://jan.ai/docs/local-api
  jan: { '*': { status: 401, body: { error: { message: 'Missing authorization header' } } } },
  'jan, open': { '/v1/models': list({ id: 'jan-v3-4b-base-instruct', object: 'model' }) },
  // Recorded of Ollama 0.17, without a model.
  ollama: { '/api/version': { version: '0.17.4' }, '/v1/models': { object: 'list', data: null } },
  dragoman: { '/api/version': { version: '0.13.4', dragoman: '0.1.0' } },
  unknown: { '/v1/models': list({ id: 'm', object: 'model', owned_by: 'somebody' }) },
  website: { '*': 'Hello' },
  // AirPlay on port 5000 of a Mac.
  airplay: { '*': { status: 403, body: '' } },
} satisfies Readonly<Record<string, Routes>>;

/** A machine with servers at these addresses, and what was asked of it. */
function machine(at: Readonly<Record<string, keyof typeof servers>>) {
  const asked: string[] = [];
  const fetch: NonNullable<FindOptions['fetch']> = async (input, init) => {
    const url = new URL(String(input));
    asked.push(url.href);
    if (init?.method !== undefined) throw new Error('nothing is sent but questions');
    const name = at[url.origin];
    if (name === undefined) throw new TypeError('fetch failed');
    const routes: Routes = servers[name];
    const found: unknown = routes[url.pathname] ?? routes['*'] ?? notFound;
    const isPlain = typeof found === 'object' && found !== null && 'body' in found && 'status' in found;
    const [status, body] = isPlain ? [Number(found.status), found.body] : [200, found];
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
  return { fetch, asked };
}

const told = (found: readonly FoundServer[]) =>
  found.map(({ kind, baseUrl, listPath, wantsKey }) => [
    kind,
    baseUrl,
    ...(listPath ? [listPath] : []),
    ...(wantsKey ? ['key'] : []),
  ]);

it('each server is told by what it answers, and the one that runs all day comes last', async () => {
  const { fetch, asked } = machine({
    'http://127.0.0.1:11434': 'ollama',
    'http://127.0.0.1:11435': 'dragoman',
    'http://127.0.0.1:1337': 'jan',
    'http://127.0.0.1:8080': 'mlx',
    'http://127.0.0.1:9931': 'llama.cpp',
    'http://127.0.0.1:8000': 'vllm',
    'http://127.0.0.1:30000': 'sglang',
    'http://127.0.0.1:5001': 'koboldcpp',
    'http://127.0.0.1:5000': 'text-generation-webui',
    'http://[::1]:1234': 'lm-studio',
  });
  expect(told(await findServers({ fetch }))).toEqual([
    ['llama.cpp', 'http://127.0.0.1:9931/v1'],
    ['vllm', 'http://127.0.0.1:8000/v1'],
    ['sglang', 'http://127.0.0.1:30000/v1'],
    ['koboldcpp', 'http://127.0.0.1:5001/v1'],
    ['text-generation-webui', 'http://127.0.0.1:5000/v1'],
    ['lm-studio', 'http://[::1]:1234/v1', '/api/v0/models'],
    ['mlx', 'http://127.0.0.1:8080/v1'],
    ['jan', 'http://127.0.0.1:1337/v1', 'key'],
    ['ollama', 'http://127.0.0.1:11434'],
    ['dragoman', 'http://127.0.0.1:11435/v1'],
  ]);
  // A gateway's list may be the lists of its servers.
  expect(asked.filter((url) => url.includes(':11435'))).toEqual([
    'http://127.0.0.1:11435/api/version',
    'http://[::1]:11435/api/version',
  ]);
  expect(asked.filter((url) => !['127.0.0.1', '[::1]'].includes(new URL(url).hostname))).toEqual([]);
});

it.each([
  [8080, 'llama.cpp', [['llama.cpp', 'http://127.0.0.1:8080/v1']]],
  [8080, 'localai', [['localai', 'http://127.0.0.1:8080/v1', '/v1/models/capabilities']]],
  [8080, 'vllm', [['vllm', 'http://127.0.0.1:8080/v1']]],
  [8080, 'unknown', [['other', 'http://127.0.0.1:8080/v1']]],
  [8080, 'website', []],
  [8080, 'jan', [['other', 'http://127.0.0.1:8080/v1', 'key']]],
  [5000, 'airplay', []],
  [1234, 'lm-studio, older', [['lm-studio', 'http://127.0.0.1:1234/v1']]],
  [1234, 'mlx', [['other', 'http://127.0.0.1:1234/v1']]],
  [1337, 'jan, open', [['jan', 'http://127.0.0.1:1337/v1']]],
] as const)('at port %d, %s', async (port, name, expected) => {
  const { fetch } = machine({ [`http://127.0.0.1:${port}`]: name });
  expect(told(await findServers({ fetch }))).toEqual(expected);
});

it('a server on both addresses of this machine is one, and our own address is left alone', async () => {
  const { fetch, asked } = machine({
    'http://127.0.0.1:8000': 'vllm',
    'http://[::1]:8000': 'vllm',
    'http://127.0.0.1:11435': 'ollama',
    'http://127.0.0.1:11999': 'ollama',
  });
  const options = {
    fetch,
    also: ['http://localhost:11999/', 'http://127.0.0.1:11434'],
    except: ['http://localhost:11435'],
  };
  expect(told(await findServers(options))).toEqual([
    ['vllm', 'http://127.0.0.1:8000/v1'],
    ['ollama', 'http://127.0.0.1:11999'],
  ]);
  expect(asked.some((url) => url.includes(':11435'))).toBe(false);
});

it('what was found is asked once whether it is still there; what ends goes, and what is slow stays', async () => {
  const at: Record<string, keyof typeof servers> = {
    'http://127.0.0.1:8000': 'vllm',
    'http://127.0.0.1:8080': 'llama.cpp',
    'http://127.0.0.1:11434': 'ollama',
  };
  const { fetch, asked } = machine(at);
  const before = await findServers({ fetch });
  delete at['http://127.0.0.1:8000'];
  asked.length = 0;
  const slow: typeof globalThis.fetch = (input, init) =>
    String(input).includes(':8080')
      ? new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('late')));
        })
      : fetch(input, init);
  const after = await findServers({ fetch: slow, before, patience: 20 });
  expect(after.map(({ kind }) => kind)).toEqual(['llama.cpp', 'ollama']);
  expect(asked.filter((url) => url.startsWith('http://127.0.0.1:11434'))).toEqual([
    'http://127.0.0.1:11434/api/version',
  ]);
});

it('whoever looks gives up when the caller does', async () => {
  const stop = new AbortController();
  const fetch: typeof globalThis.fetch = (_input, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const finding = findServers({ fetch, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(finding).rejects.toThrow('enough');
});

it.each([
  ['', 'http://127.0.0.1:11434'],
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['0.0.0.0:11999', 'http://127.0.0.1:11999'],
  [':11500', 'http://127.0.0.1:11500'],
  ['[::]:11434', 'http://[::1]:11434'],
  ['gpu.local', 'http://gpu.local:11434'],
  ['https://ollama.example.com', 'https://ollama.example.com'],
  // Ollama takes the port of the scheme that is written.
  ['http://gpu', 'http://gpu'],
  ['no address', 'http://127.0.0.1:11434'],
])('OLLAMA_HOST=%s is %s', (host, url) => {
  expect(ollamaAddress(host)).toBe(url);
});
