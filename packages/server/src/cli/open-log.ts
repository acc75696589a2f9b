import { resolve } from 'node:path';
import type { Config } from '../config/schema.ts';
import { createLog, type Log } from '../log/create-log.ts';
import { type LogFile, openLogFile } from '../log/log-file.ts';
import type { Redact } from '../log/redact.ts';
import type { Terminal } from './terminal.ts';

export interface OpenLogOptions {
  readonly terminal: Terminal;
  readonly redact: Redact;
  /** One of several processes: what goes into a file, the first one writes there. */
  readonly isMember?: boolean;
}

/** From this size on a log file is put aside. */
const bytes = 10 * 1024 * 1024;

/** Opens the log where the configuration wants it; the file is for whoever closes it. */
export function openLog(
  config: Config,
  { terminal, redact, isMember = false }: OpenLogOptions,
): { readonly log: Log; readonly file: LogFile | undefined } {
  const { level, format, file: named } = config.log;
  const { cwd, stderr } = terminal;
  const report = (message: string) => void stderr.write(`${message}\n`);
  const file =
    named === undefined || isMember ? undefined : openLogFile({ path: resolve(cwd, named), bytes, files: 5, report });
  const isPretty = named === undefined && (format === 'pretty' || (format === 'auto' && terminal.isScreen));
  const log = createLog({
    level,
    format: isPretty ? 'pretty' : 'json',
    target: file ?? (stderr === process.stderr ? 2 : stderr),
    redact,
  });
  return { log, file };
}
