import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folderForTest } from './for-test.ts';
import { runCommand } from './run-command.ts';

const wordsAfter = async (...words: readonly string[]) =>
  (await runCommand(['complete', '--', ...words])).out.split('\n').slice(0, -1);

describe('what TAB offers', () => {
  it('are the commands at first, and none that people never type', async () => {
    const words = await wordsAfter('');
    expect(words).toEqual(expect.arrayContaining(['serve', 'launch', 'connect', 'chat', 'help']));
    expect(words).not.toContain('complete');
    expect(await wordsAfter('con')).toEqual(['connect', 'context', 'conformance']);
  });

  it('are then what only we know, the options of a command, and what an option takes', async () => {
    expect(await wordsAfter('launch', 'c')).toEqual(['codex', 'claude-code', 'copilot-cli', 'continue', 'cline']);
    expect(await wordsAfter('launch', '--co')).toEqual(['--context-window', '--config']);
    expect(await wordsAfter('connect', 'codex', '--unk')).toEqual([]);
    expect(await wordsAfter('parse', '--dialect', 'herm')).toEqual(['hermes']);
    expect(await wordsAfter('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
  });

  it('is nothing where a name or a file is wanted, so that shells offer files', async () => {
    expect(await wordsAfter('serve', '--config', '')).toEqual([]);
    expect(await wordsAfter('launch', 'codex', '')).toEqual([]);
  });
});

it('a shell asks for it', async () => {
  const folder = await folderForTest();
  const program = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
  await writeFile(folder.inside('dragoman'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(folder.inside('dragoman'), 0o755);
  const { out } = await runCommand(['completion', 'bash']);
  const asked = `${out}\nCOMP_WORDS=(dragoman launch cod)\nCOMP_CWORD=2\n_dragoman\necho "\${COMPREPLY[@]}"`;
  const env = { PATH: `${folder.path}:/usr/bin:/bin` };
  expect(execFileSync('bash', ['-c', asked], { env, encoding: 'utf8' })).toBe('codex\n');
});

it('a shell that is not known is refused with those that are', async () => {
  const { code, err } = await runCommand(['completion', 'csh']);
  expect([code, err]).toEqual([1, 'There is no completion for "csh"; there is for bash, zsh, fish, powershell.\n']);
});
