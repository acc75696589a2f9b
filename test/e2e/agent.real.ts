import { createDirectClient, type DirectClient } from '@dragoman/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../../packages/agent/test/scripted-model.ts';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';

// The agent does what it is asked in plain words, over a gateway: with the demo model in five dialects, and with a live model where
// DRAGOMAN_E2E_URL and DRAGOMAN_E2E_MODEL name one (and DRAGOMAN_E2E_KEY, where it wants a key).

const { DRAGOMAN_E2E_URL: liveUrl, DRAGOMAN_E2E_MODEL: liveModel, DRAGOMAN_E2E_KEY: liveKey } = process.env;
const demos = ['hermes', 'cline-xml', 'mistral-json', 'glm', 'kimi-k2'].map((dialect) => `demo/${dialect}`);
const models = [...demos, ...(liveModel === undefined ? [] : [liveModel])];

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ config: {}, pace: 0 });
});
afterAll(() => gateway?.close());

function directTo(model: string): DirectClient {
  if (model !== liveModel || liveUrl === undefined) return createDirectClient({ url: `${gateway.url}/v1` });
  return createDirectClient({ url: liveUrl, ...(liveKey !== undefined && { key: liveKey }) });
}

describe.each(models)('%s', (id) => {
  const begin = (notes: Readonly<Record<string, string>>, options: Parameters<typeof startWorld>[1] = {}) => {
    const model = directTo(id);
    const world = startWorld(model, { notes, ...options });
    const say = async (text: string) => {
      const signal = AbortSignal.timeout(120_000);
      const end = await world.session.send(text, { model, settings: { model: id }, signal });
      expect(end).toEqual({ reason: 'answer' });
      return world.session.chat.messages.at(-1)?.content ?? '';
    };
    return { ...world, say };
  };
  const results = ({ session }: Pick<World, 'session'>) =>
    session.chat.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

  it('D-097: reads a file once, and answers with what it says', async () => {
    const { say, vault, session } = begin({ 'tea.md': 'The tea is called Lapsang.' });
    expect(await say('Read tea.md')).toContain('Lapsang');
    expect([vault.reads, results({ session })]).toEqual([['tea.md'], ['The tea is called Lapsang.']]);
  });

  it('D-097, D-098: does not read again what is in the conversation', async () => {
    const { say, vault } = begin({ 'tea.md': 'The tea is called Lapsang.' });
    await say('Read tea.md');
    await say('Thank you.');
    expect(vault.reads).toEqual(['tea.md']);
  });

  it('D-096, D-098: lists, then reads', async () => {
    const { say, vault, session } = begin({ 'plans/spring.md': 'Sow peas.', 'plans/autumn.md': 'Rake leaves.' });
    expect(await say('List all files in plans, then read plans/spring.md')).toContain('Sow peas');
    expect(results({ session })[0]).toContain('plans/autumn.md');
    expect(vault.reads).toEqual(['plans/spring.md']);
  });

  it('D-098: says that a file is not there', async () => {
    const { say, session } = begin({ 'a.md': 'x' });
    await say('Read missing.md');
    expect(results({ session })[0]).toContain('There is nothing at "missing.md"');
  });

  it('D-056, D-096: writes a file when it may, and none when it may not', async () => {
    const yes = begin({});
    await yes.say("Write 'hello' to notes/new.md");
    expect([yes.proposed, yes.vault.files.get('notes/new.md')]).toEqual([['notes/new.md'], 'hello']);
    const no = begin({}, { decision: 'reject' });
    await no.say("Write 'hello' to notes/new.md");
    expect([no.proposed, no.vault.writes]).toEqual([['notes/new.md'], []]);
  });

  it('D-098: adds to a file', async () => {
    const { say, vault } = begin({ 'list.md': '- bread\n' });
    await say("Append '- tea' to list.md");
    expect(vault.files.get('list.md')).toMatch(/^- bread\n- tea\n?$/);
  });

  it('D-098: edits a line', async () => {
    const { say, vault } = begin({ 'todo.md': '# To do\nmilk\nbread\n' });
    await say("Read todo.md, then replace 'milk' with 'oat milk' in todo.md");
    expect(vault.files.get('todo.md')).toBe('# To do\noat milk\nbread\n');
  });

  it('D-096: goes several steps, of which its person takes one back', async () => {
    const { say, vault, session } = begin({ 'a.md': 'one\n' });
    await say("Read a.md, then replace 'one' with 'two' in a.md, then read a.md");
    expect(vault.files.get('a.md')).toBe('two\n');
    expect(results({ session }).at(-1)).toContain('two');
    await session.undo();
    expect(vault.files.get('a.md')).toBe('one\n');
  });
});
