import { chatMessage, randomInteger, type ScriptedUpstream, seededRandom, sized } from '@dragoman/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RecordHead } from '../../src/records/exchange-record.ts';
import type { SqlClient } from '../../src/stores/sql-client.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import type { TestGateway } from '../start-test-gateway.ts';
import { storeKinds } from '../stores/store-kinds.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatMessage('Fine.') });
});

const tools = Array.from({ length: 20 }, (_, at) => ({
  type: 'function',
  function: { name: `tool_${at}`, description: `Tool ${at}. `.repeat(40), parameters: { type: 'object' } },
}));

const bodyOf = (messages: readonly object[], more: object = {}) => ({ model: 'up/native', messages, tools, ...more });
const said = (at: number, words: number) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `${at} "größe" ${'word '.repeat(words)}`,
});

async function recordsOf(gateway: TestGateway, query = '?order=asc&whole=true'): Promise<readonly RecordHead[]> {
  return (await (await fetch(`${gateway.url}/records${query}`)).json()).data;
}

async function ask(gateway: TestGateway, body: object): Promise<void> {
  expect((await gateway.post(body)).status).toBe(200);
}

const remove = (gateway: TestGateway, id = '') => fetch(`${gateway.url}/records${id}`, { method: 'DELETE' });

describe.each(storeKinds)('what requests have in common, in $name', (kind) => {
  beforeAll(() => kind.start(), 60_000);
  afterAll(() => kind.stop());

  async function open(level = 'full') {
    const place = await kind.create();
    const config = { store: kind.config(place), records: { level } };
    const gateway = await gatewayForTest({ upstream, config });
    const client = kind.connect(place);
    onTestFinished(() => client.close());
    return { config, client, gateway };
  }

  async function passagesIn(client: SqlClient): Promise<number> {
    const [[row] = []] = await client.run([{ sql: 'SELECT COUNT(*) AS count FROM dragoman_passages' }]);
    return Number(row?.count);
  }

  it('a database that is made anew gets all of it anew', async () => {
    const { client, gateway } = await open();
    const body = bodyOf([said(0, 900)]);
    await ask(gateway, body);
    expect(await recordsOf(gateway)).toHaveLength(1);
    const children = ['items', 'point_keys'];
    const others = ['responses', 'call_ids', 'points', 'exchanges', 'exchange_links', 'facts', 'passages', 'schema'];
    const tables = [...children, ...others];
    await client.run(tables.map((name) => ({ sql: `DROP TABLE dragoman_${name}` })));
    // What is lost with the tables is told elsewhere: the first that is kept again has all that it says.
    let records: readonly RecordHead[] | undefined;
    while (records === undefined || records.length === 0) {
      await ask(gateway, body);
      records = await recordsOf(gateway);
    }
    expect(records[0]?.said?.gaps).toEqual([]);
    expect(records[0]?.said?.request.body).toBe(JSON.stringify(body));
  });

  it('what is read back of growing and forking histories is what was asked and sent', async () => {
    const seed = randomInteger(Math.random, 1, 1_000_000);
    const random = seededRandom(seed);
    const { config, gateway } = await open();
    const gateways = kind.id === 'postgres' ? [gateway, await gatewayForTest({ upstream, config })] : [gateway];
    const histories: (readonly object[])[] = [[]];
    const bodies: object[] = [];
    for (let turn = 0; turn < sized(30); turn += 1) {
      const history = histories[randomInteger(random, 0, histories.length - 1)] ?? [];
      const next = [...history, said(history.length, randomInteger(random, 1, 1_500))];
      histories.push([...next, { role: 'assistant', content: 'Fine.' }]);
      const body = bodyOf(next, { temperature: turn / 100 });
      bodies.push(body);
      await ask(gateways[turn % gateways.length] ?? gateway, body);
    }
    for (const each of gateways) await recordsOf(each);
    const records = await Promise.all(
      (await recordsOf(gateway, '?order=asc&limit=100')).map(async ({ id }): Promise<RecordHead> => {
        return (await fetch(`${gateway.url}/records/${id}`)).json();
      }),
    );
    const order = records.map((record) => JSON.parse(record.said?.request.body ?? '').temperature * 100);
    for (const [at, record] of records.entries()) {
      const turn = Math.round(order[at] ?? 0);
      expect(record.said?.gaps, `seed ${seed}`).toEqual([]);
      expect(record.said?.request.body, `seed ${seed}`).toBe(JSON.stringify(bodies[turn]));
      expect(JSON.parse(record.said?.sent[0]?.body ?? ''), `seed ${seed}`).toEqual(upstream.requests[turn]?.body);
    }
    expect(new Set(order.map(Math.round)).size).toBe(bodies.length);
  });

  it('a history that comes again is not written again', async () => {
    const { client, gateway } = await open();
    const history = Array.from({ length: 30 }, (_, at) => said(at, 300));
    await ask(gateway, bodyOf(history.slice(0, 29)));
    await recordsOf(gateway);
    const before = await passagesIn(client);
    expect(before).toBeGreaterThan(10);
    await ask(gateway, bodyOf(history.slice(0, 29)));
    await recordsOf(gateway);
    expect(await passagesIn(client)).toBe(before);
    await ask(gateway, bodyOf([...history, said(30, 300)]));
    await recordsOf(gateway);
    expect(await passagesIn(client)).toBeLessThan(before + 8);
  });

  it('a record is deleted with what only it says; with all records all goes', async () => {
    const { client, gateway } = await open();
    const history = Array.from({ length: 20 }, (_, at) => said(at, 300));
    await ask(gateway, bodyOf(history));
    await ask(gateway, bodyOf([...history, said(20, 0), { role: 'user', content: 'alone '.repeat(2_000) }]));
    const [first, second] = await recordsOf(gateway);
    const both = await passagesIn(client);
    await remove(gateway, `/${second?.id}`);
    expect(await passagesIn(client)).toBeLessThan(both);
    expect(await recordsOf(gateway)).toEqual([first]);
    await remove(gateway);
    expect(await passagesIn(client)).toBe(0);
    await ask(gateway, bodyOf(history));
    const [again] = await recordsOf(gateway);
    expect(again?.said?.request).toEqual(first?.said?.request);
    expect(again?.said?.gaps).toEqual([]);
  });

  it('a secret in a history is told by nobody, and comes out of what repeats', async () => {
    const { gateway } = await open();
    const secret = `sk-${'a1b2'.repeat(8)}`;
    const history = Array.from({ length: 20 }, (_, at) => said(at, 300));
    const asked = [...history, { role: 'user', content: `My key is ${secret}.` }, said(21, 300)];
    for (let turn = 0; turn < 3; turn += 1) await ask(gateway, bodyOf([...asked, said(22 + turn, 10)]));
    for (const { said: told } of await recordsOf(gateway)) {
      const text = JSON.stringify(asked).replace(secret, '[secret]').slice(1, -1);
      expect(told?.request.body).toContain(text);
      expect(told?.sent[0]?.body).toContain(text);
    }
    expect(JSON.stringify(await recordsOf(gateway))).not.toContain(secret);
  });
});

it.each(storeKinds.filter(({ id }) => id === 'postgres'))(
  'processes that write the same at the same time do not stand in each other’s way, in $name',
  async (kind) => {
    await kind.start();
    onTestFinished(() => kind.stop());
    const config = { store: kind.config(await kind.create()), records: { level: 'full' } };
    const gateways = await Promise.all([0, 1, 2].map(() => gatewayForTest({ upstream, config })));
    const histories = [0, 1, 2, 3].map((which) => Array.from({ length: 41 }, (_, at) => said(at, 200 + which)));
    await Promise.all(
      gateways.flatMap((gateway, at) =>
        [...histories.slice(at), ...histories.slice(0, at)].map((history) => ask(gateway, bodyOf(history))),
      ),
    );
    for (const gateway of gateways) await recordsOf(gateway);
    const records = await recordsOf(gateways[0] ?? expect.fail('no gateway'), '?whole=true&limit=20');
    expect(records).toHaveLength(12);
    for (const record of records) expect(record.said?.gaps).toEqual([]);
    for (const gateway of gateways) {
      const lines = gateway.records().flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : []));
      expect(lines.filter((line) => line.startsWith('the store'))).toEqual([]);
    }
  },
  60_000,
);
