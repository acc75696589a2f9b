import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTool, startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { apis, at } from './ask.ts';
import { type Recorded, recorded } from './recorded.ts';
import { type RealServer, startLlama, startOllama } from './start-servers.ts';

/** Servers as they are started by people who have read nothing, by how they take tools. */
const started = {
  'llama.cpp, whose template knows tools': () => startLlama({ window: 4096, tools: true }),
  'llama.cpp, whose template knows none': () => startLlama({ window: 4096, tools: false }),
  'llama.cpp without templates': () => startLlama({ window: 4096, tools: 'refused' }),
  Ollama: () => startOllama({ window: 4096 }),
} as const;
type Name = keyof typeof started;

const servers = new Map<Name, RealServer>();
const records = new Map<Name, Recorded>();
let gateway: TestGateway;

/** The upstreams of each server: one that is asked for its list, and one that is not. */
const upstreamsOf = (index: number, url: string) => ({
  [`listed${index}`]: { wire: 'openai-chat', baseUrl: `${url}/v1`, anyModel: {}, discovery: { wait: 30_000 } },
  [`silent${index}`]: { wire: 'openai-chat', baseUrl: `${url}/v1`, anyModel: {}, discovery: { enabled: false } },
});
const names = Object.keys(started) as Name[];
const modelOf = (name: Name) => (name === 'Ollama' ? 'plain' : 'smollm2');
const recordOf = (name: Name) => records.get(name) ?? expect.fail();

beforeAll(async () => {
  await Promise.all(names.map(async (name) => void servers.set(name, await started[name]())));
  for (const [name, { url }] of servers) records.set(name, await recorded(url));
  const upstreams = names.map((name, index) => upstreamsOf(index, recordOf(name).url));
  gateway = await startTestGateway({ config: { upstreams: Object.assign({}, ...upstreams) } });
  await fetch(`${gateway.url}/v1/models`);
});

afterAll(async () => {
  await gateway?.close();
  await Promise.all([...records.values()].map((each) => each.close()));
  await Promise.all([...servers.values()].map((each) => each.stop()));
});

/** Enough words that a server which has left them out shows it. */
const tool = {
  ...readTool,
  function: {
    ...readTool.function,
    description:
      'Reads a file of the project and returns its text as it is there, with the number of each line before it, so that other tools can name lines by their numbers. Read a file before you change it, and as much of it as you need. A path counts from the root of the project; what lies outside of it cannot be read. Pictures and other files that are no text are refused, and so are files of more than a million characters: read these in parts, with the first and the last line that you want to see.',
  },
};

/** What the server was asked meanwhile: with tools, or with a text that teaches them. */
async function ask(name: Name, upstream: string): Promise<readonly string[]> {
  const { exchanges } = recordOf(name);
  const before = exchanges.length;
  const answer = await gateway.post({
    model: `${upstream}/${modelOf(name)}`,
    messages: [{ role: 'user', content: 'Read the file a.txt.' }],
    tools: [tool],
    max_tokens: 24,
    temperature: 0,
  });
  expect(answer.status).toBe(200);
  return exchanges.slice(before).map(({ asked }) => {
    const body: unknown = JSON.parse(asked);
    if (at(body, 'tools') !== undefined) return 'tools';
    return JSON.stringify(at(body, 'messages')).includes('<tool_call>') ? 'text' : 'nothing';
  });
}

it.each<[Name, readonly string[], readonly string[]]>([
  ['llama.cpp, whose template knows tools', ['tools'], ['tools']],
  ['llama.cpp, whose template knows none', ['text'], ['text']],
  ['llama.cpp without templates', ['text'], ['text']],
  ['Ollama', ['tools', 'text'], ['text']],
])('%s, whose list was read: %j, then %j', async (name, first, next) => {
  const upstream = `listed${names.indexOf(name)}`;
  expect([await ask(name, upstream), await ask(name, upstream)]).toEqual([first, next]);
});

it('a server that leaves tools out and tells nothing is found out by its first answer', async () => {
  const name = 'llama.cpp, whose template knows none';
  const upstream = `silent${names.indexOf(name)}`;
  expect([await ask(name, upstream), await ask(name, upstream)]).toEqual([['tools'], ['text']]);
  expect(gateway.records().map(({ msg }) => msg)).toContain(
    `learnt of the model "smollm2" of "${upstream}": its server ignores tools, so it is taught them`,
  );
});

it('a server that refuses tools, and whose list was not read, is asked again', async () => {
  const name = 'llama.cpp without templates';
  const upstream = `silent${names.indexOf(name)}`;
  expect([await ask(name, upstream), await ask(name, upstream)]).toEqual([['tools', 'text'], ['text']]);
});

it.each(Object.keys(apis))('a refusal is not told to clients of %s', async (api) => {
  const { path } = apis[api] ?? expect.fail();
  const { name, description, parameters } = tool.function;
  const bodies: Readonly<Record<string, object>> = {
    'openai-chat': { messages: [{ role: 'user', content: 'Hi' }], tools: [tool], max_tokens: 8 },
    'openai-responses': {
      input: 'Hi',
      tools: [{ type: 'function', name, description, parameters }],
      max_output_tokens: 16,
    },
    'anthropic-messages': {
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name, description, input_schema: parameters }],
      max_tokens: 8,
    },
    'ollama-chat': { messages: [{ role: 'user', content: 'Hi' }], tools: [tool], options: { num_predict: 8 } },
  };
  const body = JSON.stringify({ ...bodies[api], model: `silent2/${api}`, stream: false });
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('jinja')]);
});

it('a server that counts is asked how long a prompt is, in any language', async () => {
  const text = 'Lies die Datei und übersetze sie ins Chinesische: 你好，世界。';
  const body = { model: 'listed0/smollm2', messages: [{ role: 'user', content: text }] };
  const headers = { 'content-type': 'application/json' };
  const post = async (url: string, value: object) =>
    (await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) })).json();
  const { input_tokens: told } = await post(`${gateway.url}/v1/messages/count_tokens`, body);
  const [name] = names;
  const { url } = servers.get(name ?? 'Ollama') ?? expect.fail();
  const counted = await post(`${url}/v1/messages/count_tokens`, { ...body, model: 'smollm2' });
  expect(told).toBe(at(counted, 'input_tokens'));
  expect(told).toBeGreaterThan(20);
});
