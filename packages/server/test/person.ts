import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Terminal } from '@xterm/headless';
import { onTestFinished } from 'vitest';

/** A person before a terminal in which the real command runs. */
export interface Person {
  /** All that stands on the screen and above it. */
  screen(): string;
  /** What the command has written so far, with all that controls the terminal. */
  written(): string;
  /** Waits until words are there that were not there when something was typed last. */
  sees(words: string): Promise<void>;
  /** Presses keys: `\r` is Enter, `\x03` Ctrl-C, `\x04` Ctrl-D. */
  types(keys: string): void;
  /** Waits until it is their turn, and types a line, or else the keys that are given. */
  says(line: string, keys?: string): Promise<void>;
  /** Sends a signal to the command; SIGKILL closes its terminal. */
  signals(name: 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void;
  /** Resolves with the exit code; 99 where the keys of the terminal are other than they were. */
  hasLeft(): Promise<number | null>;
}

export interface PersonOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly rows?: number;
  readonly columns?: number;
}

const command = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
const pseudoTerminal = fileURLToPath(new URL('in-terminal.py', import.meta.url));
/** Whether there is what makes pseudo-terminals. In CI there has to be: a test without it fails there. */
export const hasTerminals =
  process.env.CI !== undefined ||
  (process.env.PATH ?? '').split(delimiter).some((each) => existsSync(join(each, 'python3')));
/** Milliseconds until something that has to come has come: starting takes a second, more where much else runs. */
const patience = 50_000;

/** Starts a command line in a pseudo-terminal; it ends with the test. */
export function startPerson(
  args: readonly string[],
  { cwd, env = {}, rows = 40, columns = 80 }: PersonOptions,
): Person {
  const terminal = new Terminal({ rows, cols: columns, scrollback: 5_000, allowProposedApi: true });
  const child = spawn('python3', [pseudoTerminal, String(rows), String(columns), process.execPath, command, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let written = '';
  /** How much of it was there when something was typed last. */
  let typedAt = 0;
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    terminal.write(text, () => {
      for (const look of waiting) look();
    });
  });
  const left = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', ({ message }) => reject(new Error(`These tests need python3: ${message}`)));
  });
  onTestFinished(async () => {
    child.kill();
    await left.catch(() => {});
    terminal.dispose();
  });
  const screen = () => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  };
  const until = (why: string, isThere: (text: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(look);
      };
      const look = () => {
        if (!isThere(stripVTControlCharacters(written.slice(typedAt)))) return;
        end();
        resolve();
      };
      const fail = (what: string) => {
        end();
        reject(new Error(`${what} ${why}:\n${screen()}`));
      };
      const timer = setTimeout(() => fail('There never came'), patience);
      waiting.add(look);
      void left.then((code) => {
        look();
        if (waiting.has(look)) fail(`It ended with ${code} before there came`);
      }, reject);
      look();
    });
  const types = (keys: string) => {
    typedAt = written.length;
    child.stdin.write(keys);
  };
  return {
    screen,
    written: () => written,
    types,
    says: async (line, keys = '\r') => {
      await until('a sign', (text) => text.endsWith('› '));
      types(`${line}${keys}`);
    },
    sees: (words) => until(JSON.stringify(words), (text) => text.includes(words)),
    signals: (name) => void child.kill(name),
    hasLeft: () => left,
  };
}
