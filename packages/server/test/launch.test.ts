import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clients } from '../src/cli/connect/clients.ts';
import type { Client, Place, Run, Settings } from '../src/cli/connect/connection.ts';
import { findProgram } from '../src/cli/connect/find-program.ts';
import { folderForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';

const programs = [...clients.values()].flatMap(({ id, launch }) => (launch === undefined ? [] : [{ id, launch }]));
const place: Place = {
  url: 'http://127.0.0.1:1',
  models: [{ id: 'some/model:1', contextWindow: 200_000, maxOutput: 8_000, images: true, reasoning: true }],
};

/** All that a program is pointed with, in one text. */
function pointing(launch: NonNullable<Client['launch']>, told: Omit<Run, 'folder' | 'write'>): string {
  const files: (Settings | string)[] = [];
  const write = (name: string, settings: Settings | string) => {
    files.push(settings);
    return `/run/${name}`;
  };
  return JSON.stringify([launch.point({ ...told, folder: '/run', write }), files]).replaceAll('\\"', '"');
}

it.each(programs)('$id is pointed at the gateway and the model, for a run', ({ launch }) => {
  const text = pointing(launch, { place });
  expect(text).toContain('http://127.0.0.1:1');
  expect(text).toContain('some/model:1');
});

it.each(programs)('$id gets the key of a gateway that wants one', ({ launch }) => {
  const text = pointing(launch, { place: { ...place, keyVariable: 'MY_KEY' }, key: 'k-1' });
  expect(text).toMatch(/MY_KEY|k-1/);
});

it('lists the programs, and where each is or how it is installed', async () => {
  const folder = await folderForTest();
  await mkdir(folder.inside('.opencode/bin'), { recursive: true });
  await mkdir(folder.inside('bin'));
  for (const file of ['.opencode/bin/opencode', 'bin/claude']) {
    await writeFile(folder.inside(file), '');
    await chmod(folder.inside(file), 0o755);
  }
  const env = { HOME: folder.path, PATH: folder.inside('bin') };
  const { code, out } = await runCommand(['launch'], { env, cwd: folder.path });
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(programs.length);
  expect(out).toContain(`OpenCode            ${join(folder.path, '.opencode/bin/opencode')}\n`);
  expect(out).toContain(`Claude Code         ${folder.inside('bin/claude')}\n`);
  expect(out).toContain('Codex               not installed: npm install -g @openai/codex\n');
  const listed = JSON.parse((await runCommand(['launch', '--json'], { env, cwd: folder.path })).out);
  const install = 'npm install -g @openai/codex';
  expect(listed).toHaveLength(programs.length);
  expect(listed).toContainEqual(expect.objectContaining({ id: 'claude-code', file: folder.inside('bin/claude') }));
  expect(listed).toContainEqual({ id: 'codex', name: 'Codex', install });
});

it('finds programs as Windows does: by their endings, in folders between semicolons, and below the profile of the user', async () => {
  const folder = await folderForTest();
  await mkdir(folder.inside('npm'));
  await mkdir(folder.inside('.opencode/bin'), { recursive: true });
  for (const file of ['npm/claude.CMD', '.opencode/bin/opencode.EXE']) await writeFile(folder.inside(file), '');
  const env = { USERPROFILE: folder.path, Path: `C:\\Windows;${folder.inside('npm')}`, PATHEXT: '.COM;.EXE;.CMD' };
  const found = (program: string, places: readonly string[]) =>
    findProgram({ env }, { program, package: '', places, point: () => ({}) }, 'win32');
  expect(found('claude', [])).toBe(join(folder.inside('npm'), 'claude.CMD'));
  expect(found('opencode', ['.opencode/bin'])).toBe(join(folder.inside('.opencode/bin'), 'opencode.EXE'));
  expect(found('codex', [])).toBeUndefined();
});

it.each([
  [['launch', 'vscode'], 2, 'VS Code cannot be started for one run. See: npx --no dragoman connect vscode'],
  [['connect', 'openai'], 2, 'There is no client "openai"; did you mean "openai-sdk"?'],
  [['connect', 'cursor'], 2, 'connect openai-sdk shows the address and a model.'],
  [['launch', 'claude-cod'], 2, 'There is no client "claude-cod"; did you mean "claude-code"?'],
  [
    ['launch', 'codex'],
    1,
    'Codex is not installed: there is no codex here. Install it with: npm install -g @openai/codex',
  ],
  [['launch', 'codex', '--json'], 2, '--json is for the list of all agents: npx --no dragoman launch --json'],
  [['launch', 'codex', 'a', 'b'], 2, "too many arguments for 'launch'"],
])('%j is refused with what to do', async (args, wanted, said) => {
  const folder = await folderForTest();
  const { code, err } = await runCommand(args, { env: { HOME: folder.path, PATH: '' }, cwd: folder.path });
  expect(code).toBe(wanted);
  expect(err).toContain(said);
});

it('each program has a place on the page of its client', () => {
  for (const { id } of programs) {
    const page = readFileSync(new URL(`../../../docs/clients/${id}.md`, import.meta.url), 'utf8');
    expect(page, id).toContain(`dragoman launch ${id}`);
  }
});
