import * as vscode from 'vscode';
import { isObject } from '../read-fields.ts';

/** From the fewest lines to the most. */
export const levels = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type Level = (typeof levels)[number];

/** The name of the output channel. */
export const channelName = 'Dragoman';

/** Takes each line as it is written. */
export interface LineSink {
  appendLine(line: string): void;
}

/**
 * Writes what happens, down to the level of `dragoman.logging.level`. Secrets leave every line; bodies of requests are
 * written at `trace` only, and made into text only there.
 */
export class Logger {
  readonly #sinks: readonly LineSink[];
  readonly #now: () => Date;
  #level: Level = 'info';

  constructor(sinks: readonly LineSink[], now: () => Date = () => new Date()) {
    this.#sinks = sinks;
    this.#now = now;
    this.readLevel();
  }

  get level(): Level {
    return this.#level;
  }

  /** The setting, or the key that an older extension had for it. */
  readLevel(): void {
    const own = vscode.workspace.getConfiguration('dragoman').inspect<string>('logging.level');
    const set = own?.workspaceValue ?? own?.globalValue;
    const older = vscode.workspace.getConfiguration('vercelAiGateway').get<string>('logging.level');
    this.#level = levels.find((level) => level === (set ?? older)) ?? 'info';
  }

  error = (text: string, details?: unknown) => this.#write('error', text, details);
  warn = (text: string, details?: unknown) => this.#write('warn', text, details);
  info = (text: string, details?: unknown) => this.#write('info', text, details);
  debug = (text: string, details?: unknown) => this.#write('debug', text, details);
  trace = (text: string, details?: unknown) => this.#write('trace', text, details);

  #write(level: Exclude<Level, 'off'>, text: string, details: unknown): void {
    if (levels.indexOf(level) > levels.indexOf(this.#level)) return;
    const more = details === undefined ? '' : ` ${JSON.stringify(redact(details))}`;
    const line = `${this.#now().toISOString()} [${level}] ${redactText(text)}${more}`;
    for (const sink of this.#sinks) sink.appendLine(line);
  }
}

/** Names of fields and headers that hold secrets. */
const secretNames = ['authorization', 'api-key', 'apikey', 'x-api-key', 'token', 'secret', 'password', 'cookie'];
/** How keys begin, by the vendors that give them. */
const keyStarts = ['sk-', 'sk_', 'vck_', 'Bearer ', 'ghp_', 'github_pat_', 'hf_', 'AIza', 'xai-', 'gsk_'];

/** A value without secrets: those of fields that hold them, and everything that looks like a key in a text. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && isSecret(name) ? '[redacted]' : redact(each),
    ]),
  );
}

const isSecret = (name: string) => {
  const lower = name.toLowerCase();
  return secretNames.some((secret) => lower === secret || lower.endsWith(`-${secret}`) || lower.endsWith(`_${secret}`));
};

/** Keys in a text, as errors of servers repeat them. */
export function redactText(text: string): string {
  let said = text;
  for (const start of keyStarts) {
    let at = said.indexOf(start);
    while (at >= 0) {
      let end = at + start.length;
      while (end < said.length && isKeyCharacter(said.charCodeAt(end))) end += 1;
      const isKey = end - at - start.length >= 12;
      if (isKey) said = `${said.slice(0, at)}${start}[redacted]${said.slice(end)}`;
      at = said.indexOf(start, at + start.length + (isKey ? '[redacted]'.length : 0));
    }
  }
  return said;
}

const isKeyCharacter = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 45 ||
  code === 95 ||
  code === 46;
