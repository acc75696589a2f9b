import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIn } from './how-started.ts';

describe('what people type to run another command', () => {
  const clone = resolve('/src/dragoman');

  it.each(['', 'docs', 'packages/core'])('within the clone, npx finds it: %j', (below) => {
    expect(commandIn(join(clone, below), clone)).toBe('npx --no dragoman');
  });

  it.each(['/src', '/src/dragoman-notes', '/'])('elsewhere it is told where the clone is: %s', (folder) => {
    expect(commandIn(resolve(folder), clone)).toBe(`npx --no --prefix ${clone} dragoman`);
  });

  it('a path with a space stays one word', () => {
    expect(commandIn(clone, resolve('/my src'))).toBe(`npx --no --prefix "${resolve('/my src')}" dragoman`);
  });
});
