import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialects } from '@dragoman/core';
import { sample, startScriptedUpstream } from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoGateway } from '../packages/server/src/cli/demo-gateway.ts';
import { runReadFile } from '../scripts/demo/run-agent-turn.mjs';
import { type DemoSurroundings, runDemo } from '../scripts/demo/run-demo.mjs';
import { layOut, middleOut, wrap } from '../scripts/demo/show-step.mjs';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dragoman-demo-'));
  await writeFile(join(root, 'README.md'), '# Dragoman\n\nThe interpreter between any agent and any model.\n');
  await writeFile(join(root, 'package.json'), '{\n  "name": "dragoman-workspace"\n}\n');
  await symlink('/etc/hostname', join(root, 'outside'));
});

afterAll(() => rm(root, { recursive: true }));

async function demo(args: readonly string[], change: Partial<DemoSurroundings> = {}) {
  let out = '';
  let errors = '';
  const code = await runDemo(args, {
    root,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      errors += text;
    },
    width: 100,
    colour: false,
    env: {},
    startGateway: () => startDemoGateway({ pace: 0 }),
    ...change,
  });
  return { code, out, errors };
}

describe('npm run demo', () => {
  it.each(sample([...dialects.keys()], 4))('A-268: reads two files in one turn with %s', async (dialect) => {
    const { code, out, errors } = await demo(['--dialect', dialect]);
    expect(errors).toBe('');
    expect(code).toBe(0);
    const answer = out.slice(out.indexOf('The answer'));
    expect(answer).toContain('> # Dragoman');
    expect(answer).toContain('"name": "dragoman-workspace"');
    expect(out).toContain('[system]');
    expect(out).toContain('finish_reason: tool_calls');
    expect(out).toContain('finish_reason: stop');
    expect(out).not.toContain('\u001b');
  });

  it('shows two columns on a wide terminal, and colour where it is wanted', async () => {
    const { out } = await demo([], { width: 160, colour: true });
    expect(out).toContain('\u001b[');
    expect(out).toContain('│');
  });

  it('uses a running gateway only where it is named, and says what it cannot know of it', async () => {
    const gateway = await startDemoGateway({ pace: 0 });
    const named = await demo(['--url', `${gateway.url}/v1`]);
    await gateway.close();
    expect(named.code).toBe(0);
    expect(named.out).toContain(`Gateway at ${gateway.url}`);
    expect(named.out).toContain('Not known');
    expect(gateway.turns).toHaveLength(2);
    const own = await demo([]);
    expect(own.out).toContain('Own gateway at');
    expect(own.out).not.toContain('Not known');
  });

  it('fails when a file is missing, when nothing answers, and on an error answer', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'dragoman-demo-'));
    const missing = await demo([], { root: empty });
    await rm(empty, { recursive: true });
    expect([missing.code, missing.errors]).toEqual([
      1,
      'The turn did not work. 0 of 2 reads succeeded; two were asked for.\n',
    ]);
    const other = await startScriptedUpstream();
    const broken = await demo(['--url', other.origin]);
    await other.close();
    expect([broken.code, broken.errors]).toEqual([1, expect.stringContaining('The gateway answered 500')]);
    const nobody = await demo(['--url', other.origin]);
    expect([nobody.code, nobody.errors]).toEqual([1, expect.stringContaining('No gateway answers at')]);
  });

  it.each([
    [['--dialect', 'klingon'], 'There is no dialect "klingon"'],
    [['--url', 'nowhere'], '"nowhere" is no URL'],
    [['--what'], "Unknown option '--what'"],
  ])('refuses %j', async (args, message) => {
    const { code, errors } = await demo(args);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  it('explains itself', async () => {
    const { code, out } = await demo(['--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('--dialect ID')]);
  });
});

describe('read_file', () => {
  const call = (path: unknown) => ({ name: 'read_file', arguments: JSON.stringify({ path }) });

  it('reads files of the repository only', async () => {
    expect(await runReadFile(call('package.json'), root)).toEqual({
      text: '{\n  "name": "dragoman-workspace"\n}\n',
      ok: true,
    });
    for (const path of ['../../etc/passwd', '/etc/passwd', 'outside']) {
      expect((await runReadFile(call(path), root)).ok).toBe(false);
    }
  });

  it('answers broken calls with an error', async () => {
    for (const broken of [
      call(5),
      { name: 'read_file', arguments: '{' },
      { name: 'rm', arguments: '{"path":"a"}' },
      call('.'),
    ]) {
      const outcome = await runReadFile(broken, root);
      expect([outcome.ok, outcome.text.startsWith('Error: ')]).toEqual([false, true]);
    }
  });
});

describe('layout', () => {
  it('drops what steers a terminal, and counts characters', () => {
    expect(wrap('ab\u001b[31m😀😀', 4)).toEqual(['ab[3', '1m😀😀']);
  });

  it('breaks lines between words, and words only where they are longer than a line', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('one two three', 9)).toEqual(['one two', 'three']);
    expect(wrap('a abcdefghij', 4)).toEqual(['a', 'abcd', 'efgh', 'ij']);
    expect(wrap('    abcdefgh i', 6)).toEqual(['    ab', 'cdefgh', 'i']);
    expect(wrap('', 4)).toEqual(['']);
    expect(wrap('abcd ', 4)).toEqual(['abcd']);
    const line = 'The prompt as the model saw it, '.repeat(20).trimEnd();
    expect(wrap(line, 30).every((piece) => piece.length <= 30)).toBe(true);
    expect(wrap(line, 30).join(' ')).toBe(line);
  });

  it('aligns columns', () => {
    const same = (text: string) => text;
    const layout = { width: 123, emphasise: same, dim: same };
    const text = layOut({ title: 'A', lines: ['x'] }, { title: 'B', lines: ['1', '2'] }, layout);
    expect(
      new Set(
        text
          .split('\n')
          .slice(2, 4)
          .map((line) => line.indexOf('│')),
      ),
    ).toEqual(new Set([61]));
  });

  it('leaves the middle of long panels out and says how much', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `${index}`);
    const short = middleOut(lines, 11);
    expect(short).toHaveLength(11);
    expect(short).toContain('… 90 more lines …');
    expect(short.at(-1)).toBe('99');
  });
});
