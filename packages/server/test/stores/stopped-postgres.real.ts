import { chatStream, isWhole } from '@dragoman/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { recordKey } from '../../src/stores/keyed-rows.ts';
import { folderForTest, upstreamForTest } from '../for-test.ts';
import { startGatewayProcess } from '../gateway-process.ts';
import { type PostgresServer, query, type StopWay, startPostgres } from '../postgres-server.ts';
import { hasPostgres } from './store-kinds.ts';

const ways: readonly StopWay[] = ['smart', 'fast', 'immediate', 'kill'];

/** Which statement a stop meets is chance: one round meets several, and CI has the time for many. */
const rounds = isWhole ? 20 : 1;

/** Clients that ask as soon as they are answered, each with its own conversation. */
const askers = 8;

// Where PostgreSQL is not installed, these show up as skipped.
describe.skipIf(!hasPostgres)('PostgreSQL that is stopped under load', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.close());

  it.each(ways)(
    '%s: every request is answered, and every answer is in the database',
    { timeout: 600_000 },
    async (way) => {
      const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
      const database = await server.createDatabase();
      const folder = await folderForTest();
      const config = {
        store: { postgres: database },
        upstreams: {
          up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { native: { toolCalling: 'native' } } },
        },
      };
      const gateway = await startGatewayProcess(folder.inside('gateway.json'), config);
      onTestFinished(() => gateway.kill());
      const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
      const answered: string[] = [];
      let isOver = false;
      const ask = async () => {
        while (!isOver) {
          const reply = await client.responses.create({ model: 'up/native', input: 'How are you?' });
          expect(reply.output_text).toBe('Fine.');
          answered.push(reply.id);
        }
      };
      /** Until so many more answers have come. */
      const more = async (count: number) => {
        for (const enough = answered.length + count; answered.length < enough; ) {
          await Promise.race([asking, new Promise((resolve) => setTimeout(resolve, 5))]);
        }
      };
      const asking = Promise.all(Array.from({ length: askers }, ask));
      for (let round = 0; round < rounds; round += 1) {
        await more(20);
        await Promise.all([server.stop(way), more(20)]);
        await server.start();
      }
      isOver = true;
      await asking;
      const storeNow = async () => (await (await fetch(`${gateway.url}/health`)).json()).store;
      for (let store = await storeNow(); store.status !== 'ok' || store.waiting > 0; store = await storeNow()) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const rows = await query(database, 'SELECT key FROM dragoman_responses');
      const stored = new Set(rows.map(({ key }) => key));
      expect(answered.filter((id) => !stored.has(recordKey('', id)))).toEqual([]);
      expect(await gateway.stop()).toBe(0);
    },
  );
});
