import * as vscode from 'vscode';
import { redact, redactText } from './redact.ts';

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
