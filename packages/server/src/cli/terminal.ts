import type { Readable, Writable } from 'node:stream';

/** What a command reads from and writes to. Tests hand in their own. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Messages for people, and the log. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative names start from. */
  readonly cwd: string;
  /** Whether standard error is a screen. */
  readonly isScreen: boolean;
  /** Tells of each request to stop (SIGINT, SIGTERM). */
  onStop(listener: () => void): void;
}

/** This process's own. */
export function processTerminal(): Terminal {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isScreen: process.stderr.isTTY === true,
    onStop(listener) {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
    },
  };
}

/** A command cannot do what was asked. The message is one clear line (several for several mistakes). */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
