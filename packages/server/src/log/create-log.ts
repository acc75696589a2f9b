import { write, writeSync } from 'node:fs';
import type { Config } from '../config/schema.ts';
import { harmless } from './harmless.ts';
import type { Redact } from './redact.ts';
import { type RequestNote, tenths } from './request-note.ts';

/** Where lines go; a file descriptor, or anything that takes text. */
export type LogTarget = number | { write(line: string): void };

export interface LogOptions {
  readonly level: Config['log']['level'];
  readonly format: 'json' | 'pretty';
  readonly target: LogTarget;
  readonly redact: Redact;
}

export interface Finish {
  /** The status that left; 499 when the client went before. */
  readonly status: number;
  /** Milliseconds from the first byte of the request to the last of the reply. */
  readonly ms: number;
}

/** Fields of a line; `msg` says what happened. */
export type LogFields = { readonly msg: string } & Readonly<Record<string, unknown>>;

export interface Log {
  /** The one line of a request. */
  request(note: RequestNote, finish: Finish): void;
  /** A line for whoever looks for a fault; its texts lose their secrets. */
  debug(fields: LogFields): void;
  trace(fields: LogFields): void;
  /** Whether lines of this level are written. */
  takes(level: 'debug' | 'trace'): boolean;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** Writes out what is waiting. For the end of the process. */
  flush(): void;
}

type Level = Config['log']['level'];

/** From all that is written to nothing. */
const levels: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

/** Lines leave asynchronously: no reply waits for the log. A target that fails loses lines, never replies. */
export function createLog(options: LogOptions): Log {
  const { redact, target } = options;
  const file = typeof target === 'number' ? new LineWriter(target) : undefined;
  const lines = typeof target === 'number' ? file : target;
  const takes = (level: Level) => levels.indexOf(level) >= levels.indexOf(options.level);
  const write = (level: Level, fields: object): void => {
    if (takes(level)) put(JSON.stringify({ level, time: now(), ...fields }));
  };
  const put = (fields: string): void => {
    try {
      const line = `${fields}\n`;
      lines?.write(options.format === 'pretty' ? prettyLine(line) : line);
    } catch {
      // The log is the last to matter.
    }
  };
  const harmless = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
    );
  return {
    request(note, { status, ms }) {
      const level = levelOf(note, status);
      if (!takes(level)) return;
      const told = JSON.stringify(note.error === undefined ? note : harmless(note)).slice(1, -1);
      put(`{"level":"${level}","time":"${now()}",${told},"status":${status},"ms":${tenths(ms)}}`);
    },
    debug: (fields) => write('debug', harmless(fields)),
    trace: (fields) => write('trace', harmless(fields)),
    takes,
    info: (message) => write('info', { msg: redact(message) }),
    warn: (message) => write('warn', { msg: redact(message) }),
    error: (message) => write('error', { msg: redact(message) }),
    flush() {
      try {
        file?.flush();
      } catch {
        // Nothing was open yet, or the reader has gone.
      }
    },
  };
}

/** The second of the last line, as a number and as text: most lines come many to a second, and to write a date costs more than the rest. */
let second = { number: 0, text: '' };

function now(): string {
  const at = Date.now();
  const number = Math.floor(at / 1000);
  if (number !== second.number) second = { number, text: new Date(at).toISOString().slice(0, -'000Z'.length) };
  return `${second.text}${String(at % 1000).padStart(3, '0')}Z`;
}

function levelOf(note: RequestNote, status: number): Level {
  if (status >= 500 || (note.errorCode !== undefined && status === 200) || isForOperator(note)) return 'error';
  return (status >= 400 && status !== 499) || isWorthALook(note) ? 'warn' : 'info';
}

/** Only who runs the gateway can repair it: its key for an upstream, or the upstream's address. */
function isForOperator({ errorCode }: RequestNote): boolean {
  return errorCode === 'upstream-unauthorized' || errorCode === 'upstream-unreadable';
}

/** Tools that a client declares wrongly, or calls that a model writes wrongly: it went well, and not as somebody wanted. */
function isWorthALook({ warnings }: RequestNote): boolean {
  return warnings !== undefined && ('tool-dropped' in warnings || 'call-cut' in warnings);
}

type Fields = Readonly<Record<string, unknown>>;

const ours = new Set(['time', 'level', 'msg', 'method', 'route', 'status', 'ms']);

/** One JSON log line as a person reads it on a terminal: time, level, what happened, then the other fields. */
function prettyLine(line: string): string {
  const fields: unknown = JSON.parse(line);
  if (typeof fields !== 'object' || fields === null) return line;
  const entries: Fields = Object.fromEntries(Object.entries(fields));
  const time = String(entries.time).slice(11, 19);
  const request =
    entries.route === undefined ? [] : [entries.method, entries.route, entries.status, `${String(entries.ms)} ms`];
  const rest = Object.entries(entries)
    .filter(([name]) => !ours.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const said = entries.msg === undefined || entries.route !== undefined ? [] : [entries.msg];
  return `${harmless([time, String(entries.level).padEnd(5), ...said, ...request, ...rest].join(' '))}\n`;
}

/** Bytes of lines that wait while nobody reads them; what comes then is lost. */
const mostWaiting = 16 * 1024 * 1024;

/** Milliseconds after which a pipe that is full is tried again. */
const fullPause = 100;

/** Milliseconds for which lines gather: each write is a turn of a thread, which costs more than a line. */
const gathering = 10;

/** Writes lines to a file descriptor, in order, without anybody waiting for it. What cannot be written is lost. */
export class LineWriter {
  readonly #descriptor: number;
  #lines: string[] = [];
  #length = 0;
  /** Lines gather, or are being written. */
  #isUnderWay = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#length + line.length > mostWaiting) return;
    this.#lines.push(line);
    this.#length += line.length;
    if (!this.#isUnderWay) this.#gather();
  }

  /** Writes at once what has not been begun. */
  flush(): void {
    const bytes = this.#take();
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#descriptor, bytes, from);
  }

  #take(): Uint8Array {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  #gather(): void {
    this.#isUnderWay = this.#lines.length > 0;
    if (this.#isUnderWay) setTimeout(() => this.#writeRest(this.#take()), gathering);
  }

  #writeRest(rest: Uint8Array): void {
    write(this.#descriptor, rest, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeRest(rest), fullPause).unref();
      else if (error === null && written < rest.length) this.#writeRest(rest.subarray(written));
      else this.#gather();
    });
  }
}
