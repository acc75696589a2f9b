import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { fake, Uri } from '../../test/fake-vscode.ts';
import { LogFiles } from './log-files.ts';
import { Logger, levels, redact, redactText } from './logger.ts';

const folder = new Uri('memory:/log') as unknown as vscode.Uri;
const day = 86_400_000;

beforeEach(() => fake.reset());

function written(): readonly string[] {
  const lines: string[] = [];
  const log = new Logger([{ appendLine: (line) => lines.push(line) }], () => new Date(0));
  for (const level of levels) if (level !== 'off') log[level](level);
  return lines.map((line) => line.split('] ')[1] ?? '');
}

describe('levels', () => {
  it.each([
    ['off', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
    ['trace', ['error', 'warn', 'info', 'debug', 'trace']],
  ])('C-110: %s', (level, expected) => {
    fake.settings.set('dragoman.logging.level', level);
    expect(written()).toEqual(expected);
  });

  it('C-110: the older key counts where the new one is not set', () => {
    expect(written()).toHaveLength(3);
    fake.settings.set('vercelAiGateway.logging.level', 'error');
    expect(written()).toEqual(['error']);
    fake.settings.set('dragoman.logging.level', 'warn');
    expect(written()).toEqual(['error', 'warn']);
  });
});

describe('secrets', () => {
  it('C-112: a body is written at trace only, without keys', () => {
    const body = {
      model: 'm',
      headers: { Authorization: 'Bearer abc', 'x-api-key': 'k' },
      text: 'my key is sk-abcdefghijklmnop!',
    };
    const linesAt = (level: string) => {
      fake.settings.set('dragoman.logging.level', level);
      const lines: string[] = [];
      new Logger([{ appendLine: (line) => lines.push(line) }]).trace('request', body);
      return lines;
    };
    expect(linesAt('info')).toEqual([]);
    const [line = ''] = linesAt('trace');
    expect(line).toContain('"model":"m"');
    for (const secret of ['Bearer abc', '"k"', 'sk-abcdefghijklmnop']) expect(line).not.toContain(secret);
    expect(line).toContain('sk-[redacted]!');
  });

  it('C-112: words that only begin like keys stay, and so does everything else', () => {
    expect(redactText('a task-list, sk-ip')).toBe('a task-list, sk-ip');
    expect(redact({ input: [{ max_tokens: 5, text: 'x' }] })).toEqual({ input: [{ max_tokens: 5, text: 'x' }] });
  });

  it('C-112: a key is found wherever it stands', () => {
    const around = fc.string();
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(redactText(`${before} vck_0123456789abcdefgh ${after}`)).not.toContain('0123456789abcdefgh');
      }),
    );
  });
});

describe('files', () => {
  it('C-114: each session has one of its own; those of a week ago go', async () => {
    const first = new LogFiles(folder, () => 0);
    first.appendLine('old');
    await first.flush();
    const second = new LogFiles(folder, () => 8 * day);
    second.appendLine('one');
    second.appendLine('two');
    expect(await second.read(10)).toEqual(['old', 'one', 'two']);
    expect(await second.read(1)).toEqual(['two']);
    expect(fake.files.size).toBe(2);
    await second.prune();
    expect([...fake.files.keys()].map((name) => name.includes('1970-01-01'))).toEqual([]);
  });

  it('C-114: a long session goes on in another file, and nothing is lost', async () => {
    const files = new LogFiles(folder, () => 0);
    const line = 'x'.repeat(300_000);
    for (let count = 0; count < 4; count += 1) {
      files.appendLine(line);
      await files.flush();
    }
    expect(fake.files.size).toBe(2);
    expect(await files.read(10)).toHaveLength(4);
    await files.clear();
    expect(fake.files.size).toBe(0);
  });
});
