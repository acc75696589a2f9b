import { chatMessage, jsonReply, type ScriptedUpstream, type SeenRequest } from '@dragoman/testkit';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { ServedConfig } from '../src/cli/served-config.ts';
import { loadConfig, madeUpstream } from '../src/config/load-config.ts';
import type { FoundUpstreams } from '../src/discovery/find-upstreams.ts';
import { type RunningGateway, startGateway } from '../src/http/create-gateway.ts';
import { createLog } from '../src/log/create-log.ts';
import { upstreamForTest } from './for-test.ts';

// Where a request goes when the server of this machine that has its model ends, and a vendor has a name like it.

let studio: ScriptedUpstream;
let vendor: ScriptedUpstream;
let served: ServedConfig;
let gateway: RunningGateway;

const isList = ({ method }: SeenRequest) => method === 'GET';
const serverOf = (...ids: readonly string[]) => {
  const list = jsonReply(200, { object: 'list', data: ids.map((id) => ({ id })) });
  return upstreamForTest({ fallback: (request) => (isList(request) ? list : chatMessage('Hello there')) });
};

beforeEach(async () => {
  studio = await serverOf('openai/gpt-oss-20b', 'openai/gpt-4o');
  vendor = await serverOf('gpt-4o', 'gpt-4.1-2025-04-14', 'vendor/big', 'models/flash');
  const env = { OPENAI_API_KEY: 'sk-of-a-vendor' };
  const config = loadConfig({
    env,
    file: { name: 'f', text: JSON.stringify({ listen: { port: 0 }, findUpstreams: true, demo: false }) },
  });
  served = new ServedConfig(config, { env, cwd: process.cwd() });
  served.use({ found: found({ isStudioThere: true }) });
  const made = served.make(() => {});
  const log = createLog({ level: 'silent', format: 'json', target: { write: () => {} }, redact: served.redact });
  gateway = await startGateway({ ...made, log, redact: served.redact, env });
  onTestFinished(() => gateway.close());
  await made.setup.discovery.complete();
});

function found({ isStudioThere }: { readonly isStudioThere: boolean }): FoundUpstreams {
  const local = madeUpstream({ baseUrl: studio.baseUrl });
  const openai = madeUpstream({ baseUrl: vendor.baseUrl, keyVariable: 'OPENAI_API_KEY' });
  return {
    upstreams: isStudioThere ? { 'lm-studio': local, openai } : { openai },
    titles: new Map([
      ['lm-studio', 'LM Studio at http://127.0.0.1:1234'],
      ['openai', 'OpenAI, by OPENAI_API_KEY'],
    ]),
    local: new Set(isStudioThere ? ['lm-studio'] : []),
    servers: [],
    leftOut: [],
  };
}

function change(now: FoundUpstreams): void {
  served.use({ found: now });
  gateway.reload(served.make(() => {}));
}

async function ask(model: string): Promise<readonly [status: number, message: string]> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'A secret.' }] });
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body });
  const { error } = await answer.json();
  return [answer.status, error?.message ?? ''];
}

const chatsOf = ({ requests }: ScriptedUpstream) =>
  requests.filter((each) => !isList(each)).map(({ body }) => Object(body).model);

it('a model of this machine never goes to a vendor because its server has ended, until that is back', async () => {
  const names = ['openai/gpt-oss-20b', 'openai/gpt-4o'];
  for (const name of names) expect(await ask(name)).toEqual([200, '']);
  change(found({ isStudioThere: false }));
  for (const name of names) {
    const why = `"${name}" was a model of LM Studio at http://127.0.0.1:1234, which does not run any more.`;
    expect(await ask(name)).toEqual([404, expect.stringContaining(why)]);
  }
  expect(chatsOf(vendor)).toEqual([]);
  change(found({ isStudioThere: true }));
  // Its list has been read by then.
  expect(await (await fetch(`${gateway.url}/v1/models`)).text()).toContain('gpt-oss-20b');
  for (const name of names) expect(await ask(name)).toEqual([200, '']);
  expect(chatsOf(studio)).toEqual([...names, ...names]);
});

it('a vendor gets requests only for models that it lists, by all the names that it has for them', async () => {
  change(found({ isStudioThere: false }));
  for (const name of ['gpt-4.1', 'gpt-4.1-latest', 'vendor/big:free', 'flash']) {
    expect(await ask(`openai/${name}`)).toEqual([200, '']);
  }
  expect(chatsOf(vendor)).toEqual(['gpt-4.1', 'gpt-4.1-latest', 'vendor/big:free', 'flash']);
  for (const name of ['gpt-oss-20b', 'gpt', 'gpt-4.1-mini', 'big']) {
    expect(await ask(`openai/${name}`)).toEqual([404, expect.stringContaining(`"openai/${name}"`)]);
  }
  expect(chatsOf(vendor)).toHaveLength(4);
});
