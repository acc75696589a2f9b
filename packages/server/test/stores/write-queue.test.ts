import { storedResponseOf } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { schemaVersion } from '../../src/stores/migrations.ts';
import { type Row, type SqlClient, type Statement, StoreError } from '../../src/stores/sql-client.ts';
import { openForTest } from './open-for-test.ts';

/** A database that takes everything, unless it is told to refuse. */
class ScriptedClient implements SqlClient {
  readonly place = 'the script';
  readonly shared: boolean;
  readonly lock: readonly Statement[] = [];
  /** The bodies of what was put, one list for each transaction that was carried out. */
  readonly transactions: string[][] = [];
  /** What it says no with, if it does. */
  refuse: (bodies: readonly string[]) => StoreError | undefined = () => undefined;

  constructor({ shared = false }: { readonly shared?: boolean } = {}) {
    this.shared = shared;
  }

  async run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    const bodies = statements.flatMap(({ sql, values }) => (sql.includes('body, size') ? [String(values?.[1])] : []));
    const refusal = this.refuse(bodies);
    if (refusal !== undefined) throw refusal;
    if (bodies.length > 0) this.transactions.push(bodies);
    return statements.map(({ sql }) => (sql.includes('MAX(version)') ? [{ version: schemaVersion }] : []));
  }

  async close(): Promise<void> {}

  get ids(): readonly string[] {
    return this.transactions.flat().map((body) => JSON.parse(body).id);
  }
}

const away = new StoreError('unreachable', 'it is away');

it('B-166: what cannot be written waits, is read meanwhile, and is written when the database is back', async () => {
  const client = new ScriptedClient();
  const { responses, queue, lines, tryAgain } = await openForTest({ client });
  client.refuse = () => away;
  for (const id of ['a', 'b']) expect(responses.put(storedResponseOf(id))).toBe(true);
  await queue.flush();
  await queue.flush();
  expect(await responses.get('a', 'me')).toEqual(storedResponseOf('a'));
  expect(queue.waiting).toBe(2);
  expect(lines).toEqual(['the store fails; replies go on, and it is tried again: it is away']);
  client.refuse = () => undefined;
  tryAgain();
  while (queue.waiting > 0) await new Promise(setImmediate);
  expect([...client.ids].sort()).toEqual(['a', 'b']);
  expect(lines.slice(1)).toEqual(['the store works again']);
});

it('writes many changes in one transaction, and of one record only the last', async () => {
  const client = new ScriptedClient();
  const { responses, queue } = await openForTest({ client });
  for (let at = 0; at < 100; at += 1) responses.put(storedResponseOf(`r${at % 50}`, { response: { at } }));
  await queue.flush();
  expect(client.transactions).toHaveLength(1);
  const written = client.transactions.flat().map((body) => JSON.parse(body).response.at);
  expect(written.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 50));
});

it('loses the oldest where there is no room for what waits, and tells the log how many', async () => {
  const client = new ScriptedClient();
  const { responses, queue, lines, tryAgain } = await openForTest({ client, maxSize: 10_000 });
  client.refuse = () => away;
  for (let at = 0; at < 30; at += 1)
    responses.put(storedResponseOf(`r${at}`, { response: { text: 'x'.repeat(1000) } }));
  await queue.flush();
  const kept = queue.waiting;
  expect(kept).toBeGreaterThan(4);
  expect(kept).toBeLessThan(10);
  client.refuse = () => undefined;
  tryAgain();
  while (queue.waiting > 0) await new Promise(setImmediate);
  expect([...client.ids].sort()).toEqual(Array.from({ length: kept }, (_, at) => `r${30 - kept + at}`).sort());
  expect(lines).toEqual([
    'the store is too slow: writes are lost, oldest first',
    'the store fails; replies go on, and it is tried again: it is away',
    'the store works again',
    `the store is fast enough again; ${30 - kept} writes were lost`,
  ]);
});

it('what a database refuses by itself does not stop what waits after it', async () => {
  const client = new ScriptedClient();
  const { responses, queue, tryAgain } = await openForTest({ client });
  const refusal = new StoreError('refused', 'no such thing');
  client.refuse = (bodies) => (bodies.some((body) => body.includes('poison')) ? refusal : undefined);
  for (const id of ['a', 'poison', 'c', 'd']) responses.put(storedResponseOf(id));
  while (queue.waiting > 0) {
    await queue.flush();
    tryAgain();
    await new Promise(setImmediate);
  }
  expect([...client.ids].sort()).toEqual(['a', 'c', 'd']);
});

it('C-131: a deletion that the database does not take is an error, hides the response, and is made up for', async () => {
  const client = new ScriptedClient();
  const { responses, queue, tryAgain } = await openForTest({ client });
  client.refuse = () => away;
  responses.put(storedResponseOf('a'));
  await expect(responses.delete('a', 'me')).rejects.toMatchObject({ code: 'store-failed' });
  expect(await responses.get('a', 'me')).toBeUndefined();
  client.refuse = () => undefined;
  tryAgain();
  while (queue.waiting > 0) await new Promise(setImmediate);
  expect(client.ids).toEqual([]);
});

it('B-171: what is lost with the process is told at the end', async () => {
  const client = new ScriptedClient();
  const { responses, queue, lines } = await openForTest({ client });
  client.refuse = () => away;
  responses.put(storedResponseOf('a'));
  await queue.close();
  expect(lines.at(-1)).toBe('the store fails: 1 write was lost at the end');
});

it('B-154: a response that another gateway may still be writing is looked for again', async () => {
  const looked: string[] = [];
  const onWait = async () => {
    looked.push('again');
  };
  const shared = await openForTest({ client: new ScriptedClient({ shared: true }), onWait });
  expect(await shared.responses.get('a', 'me')).toBeUndefined();
  expect(looked).toHaveLength(3);
  const alone = await openForTest({ client: new ScriptedClient(), onWait });
  expect(await alone.responses.get('a', 'me')).toBeUndefined();
  expect(looked).toHaveLength(3);
});

it('B-166: ids of calls that a slow or broken database has keep no request waiting', async () => {
  const client = new ScriptedClient();
  const { callIds, queue } = await openForTest({ client });
  client.refuse = () => away;
  await callIds.fetch('me', ['call_1']);
  callIds.of('me').put('call_2', { kind: 'native', id: 'x' });
  await callIds.fetch('me', ['call_2', 'call_3']);
  expect(callIds.of('me').get('call_2')).toEqual({ kind: 'native', id: 'x' });
  expect(queue.waiting).toBe(1);
});
