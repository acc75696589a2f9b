import { describe, expect, test } from 'vitest';
import { ToolTable } from './tool-table.ts';

const tools = (...names: readonly string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }));
const find = (names: readonly string[], policy: 'exact' | 'normalised' | 'nearest', written: string) =>
  new ToolTable(tools(...names), policy).find(written)?.name;

describe('ToolTable', () => {
  test.each(['readfile', 'READ_FILE', 'read-file', 'functions.readFile'])('E-050 reads %s as readFile', (written) => {
    expect(find(['readFile', 'write'], 'normalised', written)).toBe('readFile');
  });

  test('E-050 an exact name wins, and a near miss of two tools is none', () => {
    expect(find(['readFile', 'read_file'], 'normalised', 'read_file')).toBe('read_file');
    expect(find(['readFile', 'read_file'], 'normalised', 'READFILE')).toBeUndefined();
  });

  test('E-050 a name may be its own namespace', () => {
    expect(find(['read', 'a.b'], 'normalised', 'read.read')).toBe('read');
    expect(find(['read', 'read.read'], 'normalised', 'read.read')).toBe('read.read');
    for (const written of ['read.list', 'list.read', 'read.', '.', 'read.read.read'])
      expect(find(['read'], 'normalised', written)).toBeUndefined();
  });

  test('B-063 exact names only, when the dialect asks for it', () => {
    expect(find(['read'], 'exact', 'Read')).toBeUndefined();
  });

  test('A-139 a misspelt name is repaired only by the nearest policy, and only if one tool is near', () => {
    expect(find(['readFile'], 'normalised', 'reedFile')).toBeUndefined();
    expect(find(['readFile', 'bash'], 'nearest', 'reedFile')).toBe('readFile');
    expect(find(['readFile', 'readTile'], 'nearest', 'readEile')).toBeUndefined();
  });

  test('names of the prototype are no tools', () => {
    for (const name of ['constructor', '__proto__', 'toString', ''])
      expect(find(['read'], 'normalised', name)).toBeUndefined();
  });
});
