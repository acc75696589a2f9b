import { basename, dirname, resolve } from 'node:path';
import { createStream } from 'rotating-file-stream';

export interface LogFileOptions {
  /** Its folder is made where it is missing. */
  readonly path: string;
  /** Bytes from which on the file is put aside and a new one begun. */
  readonly bytes: number;
  /** How many are kept beside the current one: `.1` is the latest. */
  readonly files: number;
  /** Told once when lines cannot be written, and why. */
  readonly report: (message: string) => void;
}

/** Takes the lines of a log. */
export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines are in the file, or cannot be. */
  close(): Promise<void>;
}

/** The most bytes that wait for a slow disk; lines beyond that are lost. */
const mostWaiting = 8 * 1024 * 1024;

/** A log file that only its owner may read, put aside by size. Nobody waits for it, and what goes wrong breaks nothing. */
export function openLogFile({ path, bytes, files, report }: LogFileOptions): LogFile {
  const whole = resolve(path);
  const options = { path: dirname(whole), size: `${bytes}B`, rotate: files, mode: 0o600 } as const;
  const stream = createStream(basename(whole), options);
  let hasTold = false;
  const fail = (reason: string): void => {
    if (!hasTold) report(`the log cannot be written to ${path}: ${reason}`);
    hasTold = true;
  };
  stream.on('error', ({ message }) => fail(message));
  stream.on('warning', ({ message }) => fail(message));
  return {
    write(line) {
      if (stream.writableLength > mostWaiting) fail('the disk is too slow, so lines are lost');
      else if (stream.writable) stream.write(line);
    },
    close: () =>
      new Promise((resolve) => {
        // Whoever waits for the end may hear of a failure before the stream says it to all.
        const over = (failure?: Error | null) => {
          if (failure instanceof Error) fail(failure.message);
          resolve();
        };
        if (!stream.writable) over(stream.errored);
        else {
          stream.once('close', () => over(stream.errored));
          stream.end(over);
        }
      }),
  };
}
