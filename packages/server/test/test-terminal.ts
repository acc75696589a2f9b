import { Readable, Writable } from 'node:stream';
import type { Terminal } from '../src/cli/terminal.ts';

export interface TestTerminal extends Terminal {
  out(): string;
  err(): string;
  /** What SIGTERM does. */
  stop(): void;
}

/** A terminal in memory. */
export function testTerminal(options: {
  readonly input?: string | Iterable<string | Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}): TestTerminal {
  const out: string[] = [];
  const err: string[] = [];
  const stops: ((signal: 'SIGTERM') => void)[] = [];
  const collector = (into: string[]) =>
    new Writable({
      write(chunk, _encoding, done) {
        into.push(String(chunk));
        done();
      },
    });
  const input = options.input ?? '';
  return {
    stdin: Readable.from(typeof input === 'string' ? [input] : input, { objectMode: false }),
    stdout: collector(out),
    stderr: collector(err),
    // What else runs on this machine is no part of a test.
    env: { DRAGOMAN_FIND_UPSTREAMS: 'false', ...options.env },
    cwd: options.cwd ?? '/',
    isScreen: false,
    isInteractive: false,
    onStop: (listener) => void stops.push(listener),
    // Of the process alone, whose tests start one.
    onReload: () => {},
    onHangUp: () => {},
    onUncaught: () => {},
    out: () => out.join(''),
    err: () => err.join(''),
    stop: () => {
      for (const listener of stops) listener('SIGTERM');
    },
  };
}
