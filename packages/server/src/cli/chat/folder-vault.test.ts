import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startsWithDot } from '@dragoman/agent';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderVault } from './folder-vault.ts';

let home: string;
let vault: FolderVault;
const at = (path: string) => join(home, 'work', path);

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dragoman-vault-'));
  await mkdir(at('notes/deep'), { recursive: true });
  await writeFile(at('notes/a.md'), 'one');
  await mkdir(join(home, 'outside'));
  await writeFile(join(home, 'outside/secret.txt'), 'secret');
  vault = await FolderVault.open(join(home, 'work'));
});
afterEach(() => rm(home, { recursive: true }));

const pathsOf = async (folder = '') => (await vault.list(folder, startsWithDot)).map(({ path }) => path).sort();

it('D-058: links are followed within the folder and nowhere else', async () => {
  await symlink('notes/a.md', at('inner.md'));
  await symlink('../outside', at('door'));
  await symlink('../outside/new.txt', at('new.txt'));
  await symlink(at('gone'), at('broken'));
  await symlink('.', at('circle'));
  expect(await pathsOf()).toEqual(['circle', 'inner.md', 'notes', 'notes/a.md', 'notes/deep']);
  expect(await vault.read('inner.md')).toBe('one');
  expect(await vault.resolve('circle/circle/notes/a.md')).toBe('notes/a.md');
  for (const path of ['door', 'door/secret.txt', 'door/x/y', 'new.txt', 'broken']) {
    expect([path, await vault.resolve(path)]).toEqual([path, undefined]);
    await expect(vault.read(path)).rejects.toThrow('leads out of the folder');
    await expect(vault.write(path, 'evil')).rejects.toThrow('leads out of the folder');
  }
  await expect(vault.rename('notes/a.md', 'door/a.md')).rejects.toThrow('leads out of the folder');
  await expect(vault.delete('door/secret.txt')).rejects.toThrow('leads out of the folder');
  expect(await readdir(join(home, 'outside'))).toEqual(['secret.txt']);
});

it('a link itself moves and goes, and not what it leads to', async () => {
  await symlink('notes/a.md', at('inner.md'));
  await vault.rename('inner.md', 'b.md');
  await vault.delete('b.md');
  expect([await pathsOf(), await vault.read('notes/a.md')]).toEqual([['notes', 'notes/a.md', 'notes/deep'], 'one']);
});

it('D-059: hidden names are passed over, and packages unless they are asked for', async () => {
  await mkdir(at('node_modules/x'), { recursive: true });
  await writeFile(at('node_modules/x/index.js'), '');
  await mkdir(at('.git'));
  await writeFile(at('.git/config'), '');
  expect(await pathsOf()).toEqual(['node_modules', 'notes', 'notes/a.md', 'notes/deep']);
  expect(await pathsOf('node_modules')).toEqual(['node_modules/x', 'node_modules/x/index.js']);
});

it('D-059: what .gitignore names is passed over, unless it is asked for', async () => {
  const files = [
    'dist/a.js',
    'src/b.ts',
    'src/b.log',
    'src/keep.log',
    'src/gen/c.ts',
    'src/gen/deep/d.ts',
    'notes/e.log',
  ];
  for (const path of files) await vault.write(path, '');
  await writeFile(at('.gitignore'), '# built\ndist/\n*.log\n');
  await writeFile(at('src/.gitignore'), '/gen\n!keep.log\n');
  await symlink('../../outside/secret.txt', at('notes/.gitignore'));
  expect(await pathsOf()).toEqual(['notes', 'notes/a.md', 'notes/deep', 'src', 'src/b.ts', 'src/keep.log']);
  expect(await pathsOf('src')).toEqual(['src/b.ts', 'src/keep.log']);
  expect(await pathsOf('dist')).toEqual(['dist/a.js']);
  expect(await pathsOf('src/gen/deep')).toEqual(['src/gen/deep/d.ts']);
  expect(await vault.read('src/b.log')).toBe('');
});

it('a pattern that could be matched for ever is passed over', async () => {
  await writeFile(at('.gitignore'), `${'a*'.repeat(30)}b\n*.log\n`);
  await vault.write(`${'a'.repeat(200)}.md`, '');
  await vault.write('x.log', '');
  expect(await pathsOf()).toEqual([`${'a'.repeat(200)}.md`, 'notes', 'notes/a.md', 'notes/deep']);
});

it('what is no text in UTF-8, too large or no file is refused in words', async () => {
  await writeFile(at('picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
  await writeFile(at('latin.txt'), Buffer.from([0x67, 0x72, 0xfc, 0xdf]));
  await writeFile(at('large.log'), '');
  await truncate(at('large.log'), 6_000_000);
  execFileSync('mkfifo', [at('pipe')]);
  await expect(vault.read('picture.png')).rejects.toThrow('"picture.png" is not text in UTF-8');
  await expect(vault.read('latin.txt')).rejects.toThrow('not text in UTF-8');
  await expect(vault.read('large.log')).rejects.toThrow('6.0 MB');
  await expect(vault.read('pipe')).rejects.toThrow('not a file that can be read');
  expect(await pathsOf()).not.toContain('pipe');
});

it('a name is found in whichever form the disk has its letters', async () => {
  const [split, whole] = ['Bücher/Öl.md'.normalize('NFD'), 'Bücher/Öl.md'.normalize('NFC')];
  await mkdir(join(home, 'work', split, '..'));
  await writeFile(at(split), 'oil');
  expect([await vault.read(whole), (await vault.stat(whole))?.kind]).toEqual(['oil', 'file']);
  await vault.write(whole, 'new');
  expect(await readFile(at(split), 'utf8')).toBe('new');
  await vault.delete(whole);
  expect(await vault.stat(split)).toBeUndefined();
  await vault.write('Bücher/neu.md', 'x');
  expect(await readdir(at('Bücher'.normalize('NFD')))).toEqual(['neu.md']);
});

it('a text comes back as it was, byte for byte, and folders are made', async () => {
  const text = '\ufeffa\r\nü 😀';
  await vault.write('new/deep/x.md', text);
  expect(await vault.read('new/deep/x.md')).toBe(text);
  expect(await readFile(at('new/deep/x.md'), 'utf8')).toBe(text);
  expect(await vault.stat('new/deep')).toEqual({ path: 'new/deep', kind: 'folder' });
  expect(await vault.stat('new/none')).toBeUndefined();
  await expect(vault.rename('notes/a.md', 'new/deep/x.md')).rejects.toThrow('There is something at');
});
