import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLogFile } from './log-file.ts';

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-log-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('B-172: a file is put aside at its size, so many are kept, and no line is cut', async () => {
  const folder = await scratch();
  const told: string[] = [];
  const file = openLogFile({
    path: join(folder, 'deep', 'gateway.log'),
    bytes: 1_000,
    files: 3,
    report: (message) => told.push(message),
  });
  const lines = Array.from({ length: 100 }, (_, at) => `${JSON.stringify({ at, text: 'x'.repeat(80) })}\n`);
  for (const line of lines) {
    file.write(line);
    // One tick of the disk each, as lines come.
    await new Promise(setImmediate);
  }
  await file.close();
  expect(told).toEqual([]);
  const names = (await readdir(join(folder, 'deep'))).filter((name) => !name.endsWith('.txt')).sort();
  expect(names).toEqual(['gateway.log', 'gateway.log.1', 'gateway.log.2', 'gateway.log.3']);
  const texts = await Promise.all(names.reverse().map((name) => readFile(join(folder, 'deep', name), 'utf8')));
  const kept = texts.join('');
  expect(lines.join('').endsWith(kept)).toBe(true);
  for (const text of texts) {
    expect(text.length).toBeLessThan(2_000);
    for (const line of text.trim().split('\n')) expect(JSON.parse(line || '{}')).toBeDefined();
  }
  expect((await stat(join(folder, 'deep', 'gateway.log'))).mode & 0o077).toBe(0);
});

it.each([0, 1, 10])(
  'A-252: lines that cannot be written are told once, and nothing waits for them (%i ticks)',
  async (ticks) => {
    const told: string[] = [];
    const file = openLogFile({
      path: '/dev/null/no/log',
      bytes: 1_000,
      files: 1,
      report: (message) => told.push(message),
    });
    for (let count = 0; count < ticks; count += 1) {
      file.write('line\n');
      await new Promise(setImmediate);
    }
    await file.close();
    expect(told).toEqual([expect.stringContaining('the log cannot be written to /dev/null/no/log: ')]);
  },
);
