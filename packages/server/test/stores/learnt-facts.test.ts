import { chatStream, errorReply } from '@dragoman/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { readLearnt } from '../../src/cli/read-learnt.ts';
import { openFacts, readFacts } from '../../src/stores/learnt-facts.ts';
import { SqliteClient } from '../../src/stores/sqlite-client.ts';
import { call } from '../call-choices.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { runCommand } from '../run-command.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { readTool } from '../start-test-gateway.ts';
import { openForTest } from './open-for-test.ts';

const key = { upstream: 'up', address: 'http://a/v1', model: 'm', version: '1' };
const request = { model: 'up/m', messages: [{ role: 'user', content: 'Go' }], tools: [readTool] };

async function scratch() {
  const folder = await makeScratchFolder({});
  onTestFinished(() => folder.remove());
  return folder;
}

it('what was learnt outlives the process, and the commands that look show it', async () => {
  const folder = await scratch();
  const store = `sqlite:${folder.path}/d.db`;
  const upstream = await upstreamForTest();
  upstream.next(errorReply(400, 'm does not support tools'), chatStream(call('a')), chatStream(call('b')));
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m: {} } };
  const config = { store, upstreams: { up }, demo: false };
  for (let process = 0; process < 2; process += 1) {
    const gateway = await gatewayForTest({ config });
    const answer = await gateway.post(request);
    expect((await answer.json()).choices[0].finish_reason).toBe('tool_calls');
    expect(await (await fetch(`${gateway.url}/health`)).json()).toMatchObject({ models_learnt: 1 });
    await gateway.close();
  }
  expect(upstream.requests.map(({ body }) => 'tools' in Object(body))).toEqual([true, false, false]);

  await folder.write('c.json', JSON.stringify(config));
  const looking = { cwd: folder.path, input: JSON.stringify(request) };
  const explained = await runCommand(['explain', '--config', 'c.json'], looking);
  expect(JSON.parse(explained.out).plan).toMatchObject({
    toolCalling: 'any',
    dialect: 'hermes',
    facts: { tools: 'refused' },
    reason: 'the upstream has refused tools for "m", so it is taught hermes',
  });
  const { out } = await runCommand(['models', '--config', 'c.json'], looking);
  expect(out).toContain('auto → hermes, reads all (learnt: refused)');
});

it('is read once a database that failed at the start works again, and what was found out meanwhile stays', async () => {
  const { path } = await scratch();
  const log = { info: () => {} };
  const first = await openForTest({ client: new SqliteClient(`${path}/d.db`) });
  const facts = await openFacts({ ...first, log });
  facts.put(key, { tools: 'refused' });
  facts.put({ ...key, model: 'n' }, { tools: 'written', dialect: 'glm' });
  await first.queue.flush();
  const kept = await readFacts(first.database);
  expect(kept.map(({ key: { model } }) => model).sort()).toEqual(['m', 'n']);

  const waking: (() => void)[] = [];
  let works = false;
  const run: typeof first.database.run = (statements) =>
    works ? first.database.run(statements) : Promise.reject(new Error('away'));
  const database = Object.assign(Object.create(first.database), {
    run,
    onRecovery: (report: () => void) => void waking.push(report),
  });
  const later = await openFacts({ database, queue: first.queue, log });
  later.put(key, { tools: 'called' });
  expect(later.get({ ...key, model: 'n' })).toBeUndefined();
  works = true;
  for (const report of waking) report();
  await expect.poll(() => later.get({ ...key, model: 'n' })).toEqual({ tools: 'written', dialect: 'glm' });
  expect(later.get(key)).toEqual({ tools: 'called' });
});

it('a database of an older version knows nothing, and is left as it is', async () => {
  const { path } = await scratch();
  const client = new SqliteClient(`${path}/old.db`);
  await client.run([{ sql: 'CREATE TABLE other (key TEXT)' }]);
  await client.close();
  const facts = await readLearnt({ env: {}, cwd: path }, { store: 'sqlite:old.db' });
  expect([...facts.all()]).toEqual([]);
  const after = new SqliteClient(`${path}/old.db`);
  expect(await after.run([{ sql: "SELECT name FROM sqlite_master WHERE type = 'table'" }])).toEqual([
    [{ name: 'other' }],
  ]);
  await after.close();
});
