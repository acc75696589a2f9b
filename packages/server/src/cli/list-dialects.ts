import { dialects } from '@dragoman/core';
import type { Terminal } from './terminal.ts';

/** `dragoman dialects`. */
export function listDialects({ stdout }: Terminal): number {
  const width = Math.max(...[...dialects.keys()].map((id) => id.length));
  for (const { id, summary } of dialects.values()) stdout.write(`${id.padEnd(width)}  ${summary}\n`);
  return 0;
}
