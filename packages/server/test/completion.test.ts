import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
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

/** How each shell is asked what TAB would offer after these words, which end with the one that is begun. */
const askShell: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) =>
    `COMP_WORDS=(${quoted(words)})\nCOMP_CWORD=${words.length - 1}\n_dragoman\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
  // Outside of its editor zsh takes no answers, so the two that take them print.
  zsh: (words) =>
    `compadd() { shift; print -l -- "$@" }\n_files() { print files }\nwords=(${quoted(words)})\nCURRENT=${words.length}\n_dragoman`,
  fish: (words) => `complete -C '${words.join(' ')}'`,
};
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
const isHere = (shell: string) => ['/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/${shell}`));

it.each(Object.keys(askShell).filter(isHere))('%s asks for it', async (shell) => {
  const folder = await folderForTest();
  const program = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
  await folder.write('dragoman', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(folder.inside('dragoman'), 0o755);
  await folder.write('settings.json', '{}');
  const { out } = await runCommand(['completion', shell]);
  const begin = shell === 'zsh' ? 'compdef() { : }\n' : '';
  const env = { PATH: `${folder.path}:/usr/bin:/bin`, HOME: folder.path };
  const offered = (...words: readonly string[]) =>
    execFileSync(shell, ['-c', `${begin}${out}\n${askShell[shell]?.(['dragoman', ...words])}`], {
      env,
      cwd: folder.path,
      encoding: 'utf8',
    }).split('\n');
  expect(offered('launch', 'cod')).toEqual(['codex', '']);
  expect(offered('con').sort()).toEqual(['', 'conformance', 'connect', 'context']);
  const files = { bash: '', zsh: 'files', fish: 'settings.json' }[shell];
  expect(offered('serve', '--config', '')).toContain(files);
});

it('a shell that is not known is refused with those that are', async () => {
  const { code, err } = await runCommand(['completion', 'csh']);
  expect([code, err]).toEqual([2, 'There is no completion for "csh"; there is for bash, zsh, fish, powershell.\n']);
});
