import { dialects } from '@dragoman/core';
import { sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';
import type { ScratchFolder } from './scratch-folder.ts';

let folder: ScratchFolder;
beforeEach(async () => {
  folder = await folderForTest();
});

const command = (args: readonly string[], input = '') => runCommand(args, { input, cwd: folder.path });

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const table = { summary: 'mine', call: { form: 'json', opener: '<mine>', closer: '</mine>' } };
const config = JSON.stringify({ dialects: { mine: { table } } });

describe('dragoman render --dialect', () => {
  beforeEach(() => folder.write('tools.json', JSON.stringify([{ name: 'peruse', input_schema: schema }])));
  const render = (dialect: string, input: string, ...flags: readonly string[]) =>
    command(['render', '--dialect', dialect, ...flags], input);

  it.each(sample([...dialects.keys(), 'any'], 4))('writes the tools and what the user says: %s', async (dialect) => {
    const { code, out, err } = await render(dialect, 'Read a.txt\n', '--tools', 'tools.json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.startsWith(`dialect ${dialect}\n\n──── system\nYou are a helpful assistant.\n`)).toBe(true);
    expect(out).toContain('peruse');
    expect(out.endsWith('\n\n──── user\nRead a.txt\n')).toBe(true);
  });

  it('takes messages, and a request with tools of its own, and tells what was escaped', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What does <tool_call> mean?' },
    ];
    const { out } = await render('hermes', JSON.stringify(messages), '--tools', 'tools.json');
    expect(out).toContain('──── system\nBe brief.\n\n---\n\n# Tools\n');
    expect(out).toContain('──── user\nWhat does <\u2060tool_call> mean?\n\nwarning text-escaped: ');
    const tools = [{ type: 'function', function: { name: 'list' } }];
    const request = JSON.stringify({ model: 'any', messages, tools });
    expect((await render('hermes', request)).out).toContain('"name":"list"');
    const replaced = (await render('hermes', request, '--tools', 'tools.json')).out;
    expect([replaced.includes('"name":"list"'), replaced.includes('"name":"peruse"')]).toEqual([false, true]);
  });

  it('writes past calls and results as the model would have, and prints all of it as JSON', async () => {
    const messages = [
      { role: 'user', content: 'Read a.txt' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'peruse', arguments: '{"path":"a.txt"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'an a' },
    ];
    const { out } = await render('hermes', JSON.stringify(messages), '--tools', 'tools.json', '--json');
    const { dialect, messages: written, warnings } = JSON.parse(out);
    expect({ dialect, warnings }).toEqual({ dialect: 'hermes', warnings: [] });
    expect(written.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(written[2].content).toBe('<tool_call>\n{"name": "peruse", "arguments": {"path":"a.txt"}}\n</tool_call>');
    expect(written[3].content).toContain('<tool_response>\nan a\n</tool_response>');
  });

  it('knows the dialects of the configuration', async () => {
    await folder.write('dragoman.json', config);
    expect((await render('mine', 'Hi', '--tools', 'tools.json')).out).toContain('<mine>');
  });

  it.each<[readonly string[], string, string]>([
    [['--dialect', 'hermse'], 'Hi', 'did you mean "hermes"?'],
    [[], 'Hi', 'Name how the model writes with --dialect'],
    [['--dialect', 'glm'], ' \n', 'Standard input is empty: write what the user says'],
    [['--dialect', 'glm'], '{"messages":[', 'Standard input begins like JSON, and cannot be read as JSON: '],
    [['--dialect', 'glm'], '{"mesages":[]}', 'messages'],
    [['--dialect', 'glm', '--jsonl'], '', "'--jsonl' cannot be used with option '--dialect <id>'"],
    [['--dialect', 'glm', '--tools', 'absent.json'], 'Hi', 'The tools in absent.json cannot be read'],
  ])('%j with %j is refused with one line', async (flags, input, reason) => {
    const { code, out, err } = await command(['render', ...flags], input);
    expect({ code, out }).toEqual({ code: flags.includes('--jsonl') || flags.includes('hermse') ? 2 : 1, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(reason);
  });

  it('shows what would control the terminal', async () => {
    expect((await render('hermes', 'a\u001b[2Jb')).out).toContain('a\\x1b[2Jb');
  });
});

describe('dragoman dialects <id>', () => {
  it.each(sample([...dialects.keys()], 4))('tells all of %s', async (id) => {
    const { code, out, err } = await command(['dialects', id]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')[0]).toBe(id);
    for (const part of [
      'published in',
      'also reads',
      '──── a call\n',
      '──── its result\n',
      '──── what teaches the tool\n',
    ]) {
      expect(out).toContain(part);
    }
    const { code: parsed, out: found } = await command(
      ['parse', '--dialect', id, '--tools', 'tools.json'],
      sampleOf(out),
    );
    expect(parsed).toBe(0);
    expect(found).toMatch(/^call read .*"path": ?"README.md"/m);
  });

  /** The call that is in it, as a reply. */
  const sampleOf = (out: string) => out.slice(out.indexOf('──── a call\n') + 12, out.indexOf('\n\n──── its result'));
  beforeEach(() =>
    folder.write(
      'tools.json',
      JSON.stringify([{ name: 'read', inputSchema: { properties: { path: {}, limit: {} } } }]),
    ),
  );

  it('prints the same as JSON', async () => {
    const { out } = await command(['dialects', 'kimi-k2', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      id: 'kimi-k2',
      form: 'header',
      ids: true,
      own: false,
      publishedIn: 'chat template of Kimi K2',
      writes: { call: expect.stringContaining('functions.read:0') },
    });
  });

  it('knows the dialects of the configuration, with their tables', async () => {
    await folder.write('dragoman.json', config);
    const { out } = await command(['dialects', 'mine']);
    expect(out).toContain('  from        the configuration\n');
    expect(out).not.toContain('README.md,');
    expect(JSON.parse((await command(['dialects', 'mine', '--json'])).out)).toMatchObject({ own: true, table });
  });

  it('says what "any" is', async () => {
    expect(await command(['dialects', 'any'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a dialect of its own'),
    });
  });

  it('names the nearest to one that there is not', async () => {
    const { code, err } = await command(['dialects', 'kimi2']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'There is no dialect "kimi2"; did you mean "kimi-k2"? See: npx --no dragoman dialects\n',
    });
  });
});
