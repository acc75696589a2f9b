import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';
import type { ScratchFolder } from './scratch-folder.ts';

let folder: ScratchFolder;

beforeEach(async () => {
  folder = await folderForTest();
});

const command = (...args: readonly string[]) => runCommand(args, { cwd: folder.path });

/** What `check-config` says of a configuration with these prompts. */
async function check(prompts: unknown) {
  const send = { path: '/messages', body: { text: '{{text}}' } };
  const conversation = { send, reply: { text: 'text' } };
  const baseUrl = 'http://127.0.0.1:9';
  const upstreams = { up: { wire: 'conversation', baseUrl, conversation, models: { m: {} } } };
  await folder.write('dragoman.json', JSON.stringify({ upstreams, prompts }));
  return command('check-config', 'dragoman.json');
}

describe('dragoman prompts', () => {
  it('A-100: lists templates and variables, and prints one', async () => {
    const { code, out } = await command('prompts');
    expect(code).toBe(0);
    for (const name of ['first-tools', 'results', 'simple', 'tool_list', 'task']) expect(out).toContain(`  ${name} `);
    expect((await command('prompts', 'results')).out).toContain('{{ results }}');
    const { templates, variables } = JSON.parse((await command('prompts', '--json')).out);
    expect(templates).toContainEqual(
      expect.objectContaining({ name: 'results', text: expect.stringContaining('{{ results }}') }),
    );
    expect(variables).toContainEqual({ name: 'task', meaning: expect.any(String) });
    const { code: wrong, err } = await command('prompts', 'reslts');
    expect([wrong, err]).toEqual([2, expect.stringContaining('did you mean "results"')]);
  });

  it('A-107: writes files to start from, which are good as they are, and never over another', async () => {
    const { out } = await command('prompts', '--write', 'mine');
    expect(out).toContain('"prompts":{"folder":"mine"}');
    expect(await check({ folder: 'mine' })).toMatchObject({ code: 0 });
    expect((await command('prompts', 'simple')).out).toBe(await folder.read('mine/simple.jinja'));
    await folder.write('mine/simple.jinja', 'changed');
    const again = await command('prompts', '--write', 'mine');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('mine holds first-tools.jinja') });
    expect(await folder.read('mine/simple.jinja')).toBe('changed');
  });
});

describe('prompts that cannot be used', () => {
  it('A-105 A-107: refuse the start, with file, line, template and variable of each', async () => {
    await folder.write('mine/simple.jinja', 'Hi\n{{ taks }}');
    await folder.write('mine/results.jinja', '{% if results %}\n{{ results }}');
    const { code, err } = await check({ folder: 'mine' });
    expect(code).toBe(1);
    const [results, simple, ...others] = err.trim().split('\n');
    expect(results).toBe(`${join(folder.path, 'mine/results.jinja')}:1: results: what begins here is not ended`);
    expect(simple).toMatch(
      /mine\/simple\.jinja:2: simple: there is no variable "taks"; there are .*; did you mean "task"\?$/,
    );
    expect(others).toEqual([]);
  });

  it('A-107: a folder that is not there is named by where the configuration says it', async () => {
    expect((await check({ folder: 'none' })).err).toMatch(
      /^prompts\.folder: there is no folder .*none; "dragoman prompts --write/,
    );
  });

  it('A-107: a template under a wrong name is no template', async () => {
    await folder.write('mine/result.jinja', '{{ results }}');
    expect((await check({ folder: 'mine' })).err).toMatch(
      /holds result\.jinja, which is no prompt; did you mean "results\.jinja"\?/,
    );
  });

  it('A-107: a key that is missing or wrong is refused like any other', async () => {
    expect((await check({ folders: 'x' })).err).toContain('prompts.folders: unknown key');
    expect((await check({ toolDocs: 'all' })).err).toContain('"line", "signature", "stub", "schema"');
  });

  it('A-107: a folder with some templates leaves the others built in', async () => {
    await folder.write('mine/simple.jinja', 'You hear: {{ task }}');
    await folder.write('mine/rules.md', 'Be brief.');
    await folder.write('mine/notes.txt', '{{ nothing');
    expect(await check({ folder: 'mine' })).toMatchObject({ code: 0, err: '' });
  });
});
