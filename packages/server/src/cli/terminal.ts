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
  /** Whether a person sits at it: standard input is a keyboard, and standard output a screen. */
  readonly isInteractive: boolean;
  /** Tells of each request to stop (SIGINT, SIGTERM). */
  onStop(listener: (signal: NodeJS.Signals) => void): void;
  /** Tells that the terminal was closed (SIGHUP). Without a listener that ends the process. */
  onHangUp(listener: () => void): void;
  /** Tells of each request to read the configuration anew (SIGHUP); never where standard input is a terminal. */
  onReload(listener: () => void): void;
  /** Tells of what nobody has caught. Without a listener it ends the process. */
  onUncaught(listener: (thrown: unknown) => void): void;
}

/** This process's own. */
export function processTerminal(): Terminal {
  return {
    // Node loads what reads it when it is asked for, and few commands read.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isScreen: process.stderr.isTTY === true,
    get isInteractive() {
      return process.stdin.isTTY === true && process.stdout.isTTY === true;
    },
    onStop(listener) {
      const once = oncePerMoment(listener, () => performance.now());
      process.on('SIGINT', once);
      process.on('SIGTERM', once);
    },
    onHangUp(listener) {
      if (process.stdin.isTTY === true) process.once('SIGHUP', () => listener());
    },
    onReload(listener) {
      if (process.stdin.isTTY !== true) process.on('SIGHUP', listener);
    },
    onUncaught(listener) {
      // Node tells rejections that nobody has caught here, too.
      process.on('uncaughtException', listener);
    },
  };
}

/** Milliseconds within which signals are one request: nobody asks twice that quickly. */
const moment = 500;

/**
 * Calls `listener` once for signals that come together: at Ctrl-C a terminal tells every process, and `npm start` passes
 * the signal on to us besides. `now` tells milliseconds.
 */
export function oncePerMoment<Told>(listener: (told: Told) => void, now: () => number): (told: Told) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (told) => {
    const at = now();
    if (at - last < moment) return;
    last = at;
    listener(told);
  };
}

/** A command cannot do what was asked. The message is one clear line (several for several mistakes). */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command line itself is wrong: it names what there is not, or what cannot be together. */
export class UsageError extends CommandError {}
