import { startScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codingTools } from './coding-tools.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { type NativeCall, nativeStream, strictUpstream } from './strict-upstream.ts';

let folder: ScratchFolder;
let gateway: TestGateway;
let close: () => Promise<void>;
let recorded: RecordedFetch;

beforeEach(async () => {
  folder = await makeScratchFolder({ 'a.txt': 'alpha', 'b.txt': 'beta', 'c.txt': 'gamma' });
  recorded = new RecordedFetch();
});

afterEach(async () => {
  await close();
  await folder.remove();
});

async function start(fallback: ReturnType<typeof strictUpstream>) {
  const upstream = await startScriptedUpstream({ fallback });
  gateway = await startTestGateway({ upstream });
  close = async () => {
    await gateway.close();
    await upstream.close();
  };
  return upstream;
}

/** An agent turn of the OpenAI SDK; returns its last words and the ids that it saw. */
async function turn(stream: boolean) {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0, fetch: recorded.fetch });
  const ran: unknown[] = [];
  const tools = codingTools(folder).map(({ name, description, parameters, run }) => ({
    type: 'function' as const,
    function: {
      name,
      description,
      parameters,
      parse: (text: string): Record<string, unknown> => JSON.parse(text),
      function: (values: Record<string, unknown>) => {
        ran.push(values);
        return run(values);
      },
    },
  }));
  const body = { model: 'up/native', messages: [{ role: 'user' as const, content: 'Go.' }], tools };
  const runner = stream
    ? client.chat.completions.runTools({ ...body, stream: true })
    : client.chat.completions.runTools({ ...body, stream: false });
  const content = await runner.finalContent();
  const ids = runner.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  );
  return { content, ids, ran };
}

const read = (id: string, filePath: string): NativeCall => [id, 'read', JSON.stringify({ filePath })];
const rounds = (ids: (round: number, place: number) => string): NativeCall[][] =>
  [0, 1, 2].map((round) => [read(ids(round, 0), 'a.txt'), read(ids(round, 1), 'b.txt')]);

describe.each([true, false])('an upstream that refuses ids it did not warning (stream: %s)', (stream) => {
  it('E-013 E-016 E-015: three turns with two calls each, ids equal to what the upstream returned', async () => {
    const upstream = await start(
      strictUpstream(
        rounds((round, place) => `call_${round}x${place}`),
        'All done.',
      ),
    );
    const { content, ids, ran } = await turn(stream);
    expect(content).toBe('All done.');
    expect(ids).toEqual(['call_0x0', 'call_0x1', 'call_1x0', 'call_1x1', 'call_2x0', 'call_2x1']);
    expect(ran).toHaveLength(6);
    const last = upstream.requests.at(-1)?.text ?? '';
    expect(last.match(/"alpha"/g)).toHaveLength(3);
    expect(last.match(/"beta"/g)).toHaveLength(3);
    await recorded.checkedTurns();
  });

  it('E-013: ids that begin anew in every turn are unique for the client, and its own again for the upstream', async () => {
    await start(
      strictUpstream(
        rounds((_, place) => `call_${place}`),
        'All done.',
      ),
    );
    const { content, ids } = await turn(stream);
    expect(content).toBe('All done.');
    expect(new Set(ids).size).toBe(6);
    await recorded.checkedTurns();
  });

  it('E-013: ids with other characters, and long ones, find their way back', async () => {
    const long = 'x'.repeat(200);
    await start(
      strictUpstream(
        rounds((round, place) => `functions.read:${round * 2 + place}${place ? long : 'é/'}`),
        'Done.',
      ),
    );
    expect((await turn(stream)).content).toBe('Done.');
  });
});

describe('native calls that are not quite JSON', () => {
  it('E-054 arrive repaired, and run', async () => {
    const upstream = await start(nativeStream([], 'Seen.'));
    upstream.next(nativeStream([['call_a', 'Read', '{"filePath": "c.txt", "limit": "1",}']]));
    const { content, ran } = await turn(true);
    expect([content, ran]).toEqual(['Seen.', [{ filePath: 'c.txt', limit: 1 }]]);
    expect(upstream.requests.at(-1)?.text).toContain('gamma');
    await recorded.checkedTurns();
    expect(gateway.records().find(({ warnings }) => warnings !== undefined)?.warnings).toMatchObject({
      'json-repaired': 1,
    });
  });
});
