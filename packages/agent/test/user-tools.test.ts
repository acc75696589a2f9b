import { readUserTools } from '@dragoman/agent/user-tools';
import { sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../src/index.ts';
import { ScriptedModel, startWorld } from './scripted-model.ts';

const meta = (name = 'own') =>
  `export const meta = { name: '${name}', description: 'Does it.', inputSchema: { type: 'object' } };`;
const script = (body: string) => ({
  path: 'tools/own.js',
  text: `${meta()}\nexport async function run(args, vault) { ${body} }`,
});

async function toolOf(body: string): Promise<readonly Tool[]> {
  const { tools, faults } = await readUserTools([script(body)], async () => true);
  expect(faults).toEqual([]);
  return tools;
}

/** What a script gives when a model calls it. */
async function runs(
  body: string,
  { values = {}, ...world }: { readonly values?: object } & Parameters<typeof startWorld>[1] = {},
) {
  const model = new ScriptedModel({ calls: [['own', JSON.parse(JSON.stringify(values))]] }, { text: 'ok' });
  const started = startWorld(model, { ...world, tools: await toolOf(body) });
  await started.send('Go.');
  const message = started.session.chat.messages[2];
  return { ...started, content: message?.content ?? '', message };
}

describe('tools that people write', () => {
  it('D-063: a script without consent is not evaluated', async () => {
    const asked: string[] = [];
    const { tools, faults } = await readUserTools(
      [{ path: 'a.js', text: 'throw new Error("ran")' }],
      async ({ path, id }) => {
        asked.push(path, id);
        return false;
      },
    );
    expect([tools, faults, asked[0], asked[1]?.length]).toEqual([[], [], 'a.js', 64]);
  });

  it('D-063: a yes holds for one text: another text has another id', async () => {
    const ids: string[] = [];
    const allow = async ({ id }: { readonly id: string }) => ids.push(id) < 0;
    const { path, text } = script('');
    await readUserTools(
      [
        { path, text },
        { path, text: `${text} ` },
        { path: 'b.js', text },
        { path, text },
      ],
      allow,
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });

  it('D-063, D-015: a script gets its arguments and the vault', async () => {
    const { content } = await runs(
      'return JSON.stringify([args.path, await vault.read(args.path), await vault.list(), await vault.active()])',
      {
        values: { path: 'a.md' },
        notes: { 'a.md': 'twelve chars' },
        active: 'a.md',
      },
    );
    expect(content).toBe('["a.md","twelve chars",[{"path":"a.md","kind":"file","size":12}],"a.md"]');
  });

  it('D-063, D-056: what it changes is shown to a person first', async () => {
    const body = 'return vault.write("a.md", "new")';
    const made = await runs(body, { notes: { 'a.md': 'old' } });
    expect([made.content, made.proposed, made.vault.files.get('a.md')]).toEqual(['made', ['a.md'], 'new']);
    const not = await runs(body, { notes: { 'a.md': 'old' }, decision: 'reject' });
    expect([not.proposed, not.vault.files.get('a.md')]).toEqual([['a.md'], 'old']);
    expect(not.content).toContain('rejected');
  });

  const escapes = [
    ['require', 'return require("fs").readFileSync("/etc/passwd")'],
    ['process', 'return JSON.stringify(process.env)'],
    ['another module', 'return (await import("node:fs")).readFileSync("/etc/passwd")'],
    ['the network', 'return (await fetch("http://127.0.0.1")).text()'],
    ['a page', 'return document.cookie'],
    ['the global of the host', 'return globalThis.constructor.constructor("return process")().pid'],
    ['the host through its functions', 'return (await vault.read.constructor("return process")()).pid'],
    [
      'the host through an error',
      'try { await vault.read("x") } catch (e) { return e.constructor.constructor("return process")().pid }',
    ],
    ['a timer', 'return setTimeout(() => {}, 1)'],
    ['paths outside', 'return vault.read("../x")'],
    ['hidden files', 'return vault.read(".obsidian/app.json")'],
    ['a change of what is hidden', 'return vault.write(".obsidian/app.json", "x")'],
  ] as const;
  it.each(sample(escapes, 4))('D-063: a script that tries %s gets an error', async (_, body) => {
    const { message, vault } = await runs(body, { notes: { '.obsidian/app.json': 'secret' } });
    expect(message).toMatchObject({ tool_result: { status: 'error' } });
    expect(vault.writes).toEqual([]);
  });

  const mishaps = [
    ['an endless loop', 'while (true) {}', 'broken off'],
    ['an endless loop after a wait', 'await vault.list(); while (true) {}', 'broken off'],
    ['endless memory', 'const all = []; while (true) all.push(new Uint8Array(4e6))', 'memory'],
    ['endless depth', 'const f = () => f() + 1; return f()', 'stack'],
    ['an error of its own', 'throw new Error("no such luck")', 'no such luck'],
    ['something that is no error', 'throw 7', '7'],
  ] as const;
  it.each(sample(mishaps, 2))('D-061: %s is a result that the model reads', async (_, body, words) => {
    const { message } = await runs(body);
    expect(message).toMatchObject({ tool_result: { status: 'error' }, content: expect.stringContaining(words) });
  });

  it('D-063: nothing stays from one call to the next', async () => {
    const calls = ['1', '2'].map((n) => ['own', { n }] as const);
    const world = startWorld(new ScriptedModel({ calls }, { text: 'ok' }), {
      tools: await toolOf('globalThis.count = (globalThis.count ?? 0) + 1; return count'),
    });
    await world.send('Go.');
    expect(world.session.chat.messages.slice(2, 4).map(({ content }) => content)).toEqual(['1', '1']);
  });

  it.each([
    ['does not parse', 'export const', 'is not a tool'],
    ['exports no meta', 'export const run = () => 1', '`meta`'],
    ['has no description', 'export const meta = { name: "a" }; export const run = () => 1', 'meta.description'],
    ['has a name with spaces', 'export const meta = { name: "a b", description: "x" }', 'meta.name'],
    ['has no run', meta(), '`run(args, vault)`'],
    ['never ends to load', `await new Promise(() => {}); ${meta()}`, 'while it is loaded'],
    ['loops while it is loaded', 'while (true) {}', 'broken off'],
    ['imports', `import fs from 'fs'; ${meta()}`, 'could not load module'],
  ])('D-055: a script that %s is told to its author', async (_, text, words) => {
    const { tools, faults } = await readUserTools([{ path: 'a.js', text }], async () => true);
    expect(tools).toEqual([]);
    expect(faults[0]?.message).toContain(words);
  });
});
