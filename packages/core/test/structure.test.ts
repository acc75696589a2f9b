import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { warningCodes } from '../src/chat/warning.ts';
import { dialects } from '../src/dialects/registry.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const codeFiles = filesBelow(source).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

/** What a file imports: the strings after `from`, and those of dynamic imports. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

describe('core', () => {
  test('runs anywhere: it imports nothing but itself', () => {
    const foreign = codeFiles.flatMap((file) => importsOf(file).filter((name) => !name.startsWith('.')));
    expect(foreign).toEqual([]);
  });

  test('keeps its files below 500 lines', () => {
    const long = codeFiles.filter((file) => readFileSync(file, 'utf8').split('\n').length > 500);
    expect(long).toEqual([]);
  });

  test('runs no regular expression on model text', () => {
    const parsing = codeFiles.filter((file) =>
      /\/core\/src\/(stream|json|dialects|plan|prepare|conversation|upstream|calls|client)\//.test(file),
    );
    const constructs = [
      /\bRegExp\b/,
      /\.(match|matchAll|test|search|replace|split)\(\s*\/[^/]/,
      /(?:[=(:,?!&|]|return)\s*\/(?![/*])[^/\n]+\/[a-z]*[.,;)\s]/,
    ];
    const using = parsing.filter((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return constructs.some((construct) => construct.test(code));
    });
    expect(using).toEqual([]);
  });
});

test('every warning code is told by someone', () => {
  const sources = codeFiles.filter((file) => !file.endsWith('warning.ts')).map((file) => readFileSync(file, 'utf8'));
  expect(warningCodes.filter((code) => !sources.some((text) => text.includes(`'${code}'`)))).toEqual([]);
});

describe('dialect folders', () => {
  const rooms = ['cases', 'families', 'forms', 'parser', 'readers', 'render', 'response-template', 'table', 'together'];
  const folders = readdirSync(join(source, 'dialects'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !rooms.includes(entry.name))
    .map((entry) => entry.name);

  test('are the registered dialects', () => {
    expect([...dialects.keys()].sort()).toEqual(folders.sort());
  });

  test.each(folders)('%s shares with other dialects only through the rooms beside it', (folder) => {
    const files = codeFiles.filter((file) => file.includes(join('dialects', folder, '/')));
    const beside = files.flatMap(importsOf).filter((name) => name.startsWith('../') && !name.startsWith('../../'));
    const own = beside.filter((name) => !['../dialect.ts', '../table.ts'].includes(name));
    expect(own.filter((name) => !rooms.some((room) => name.startsWith(`../${room}/`)))).toEqual([]);
  });

  test('are unknown to the rooms', () => {
    const inRooms = codeFiles.filter((file) => rooms.some((room) => file.includes(join('dialects', room, '/'))));
    expect(inRooms.length).toBeGreaterThan(50);
    const known = inRooms.flatMap(importsOf).filter((name) => folders.some((folder) => name.includes(`/${folder}/`)));
    expect(known).toEqual([]);
  });

  test.each(folders)('%s has the files that every dialect has', (folder) => {
    const files = ['index.ts', 'index.test.ts', 'README.md', 'cases'];
    expect(files.filter((file) => !existsSync(join(source, 'dialects', folder, file)))).toEqual([]);
  });
});
