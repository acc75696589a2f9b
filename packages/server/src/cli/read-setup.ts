import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../code-of.ts';
import { type Overrides, readEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Looked for in the current folder when no file is named. */
export const defaultFiles = ['dragoman.json', 'dragoman.jsonc'];

export interface ReadConfig {
  readonly config: Config;
  /** The file that was read, as it was named; undefined when there is none. */
  readonly file: string | undefined;
}

/** Reads the configuration for a command. Throws ConfigError or CommandError. */
export function readConfig(
  terminal: Terminal,
  flags: Overrides,
  { mayLackSecrets = false }: { readonly mayLackSecrets?: boolean } = {},
): ReadConfig {
  const { env } = terminal;
  const named = flags.config ?? readEnvironment(env).overrides.config;
  const file = named ?? defaultFiles.find((name) => isFile(resolve(terminal.cwd, name)));
  const config = loadConfig({
    env,
    flags,
    mayLackSecrets,
    ...(file === undefined ? {} : { file: { name: file, text: readText(resolve(terminal.cwd, file), file) } }),
  });
  return { config, file };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const code = codeOf(thrown);
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code;
    throw new CommandError(`The configuration file ${name} cannot be read: ${reason}.`);
  }
}
