import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LineWriter } from './create-log.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const lines = Array.from({ length: 2_000 }, (_, at) => `line ${at} ${'é'.repeat(at % 90)}\n`);

it('writes all lines in their order, without being waited for', async () => {
  const path = join(folder, 'in-order');
  const descriptor = openSync(path, 'w');
  const writer = new LineWriter(descriptor);
  for (const line of lines) writer.write(line);
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(lines.join('')));
  closeSync(descriptor);
});

it('writes at once what waits when it is flushed', async () => {
  const path = join(folder, 'flushed');
  const descriptor = openSync(path, 'w');
  const writer = new LineWriter(descriptor);
  for (const line of lines) writer.write(line);
  writer.flush();
  expect(readFileSync(path, 'utf8')).toContain('line 1999 ');
  // The first line may be under way.
  await vi.waitFor(() => expect(readFileSync(path, 'utf8').length).toBe(lines.join('').length));
  closeSync(descriptor);
});

it('loses lines that cannot be written, and goes on', async () => {
  const path = join(folder, 'closed');
  const descriptor = openSync(path, 'w');
  closeSync(descriptor);
  const writer = new LineWriter(descriptor);
  expect(() => writer.write('lost\n')).not.toThrow();
  await vi.waitFor(() => expect(() => writer.flush()).not.toThrow());
});
