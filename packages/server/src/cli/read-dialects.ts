import { anyDialect, type Dialect, dialects, readAny, taughtDialect } from '@dragoman/core';
import { didYouMean } from '../config/nearest-name.ts';
import { createOwnDialects } from '../config/own-dialects.ts';
import { ownCommand } from './how-started.ts';
import { readConfig } from './read-setup.ts';
import { CommandError, type Terminal, UsageError } from './terminal.ts';

const list = `See: ${ownCommand} dialects`;

/** The built-in dialects, and those of the configuration. */
export class KnownDialects {
  /** Those of the configuration, by id. */
  readonly own: ReadonlyMap<string, Dialect>;

  constructor(own: ReadonlyMap<string, Dialect> = new Map()) {
    this.own = own;
  }

  /** The dialect with this id; `any` reads all built-in ones. Throws CommandError with the nearest one. */
  find(id: unknown): Dialect {
    if (id === anyDialect) return readAny(this.find(taughtDialect));
    const dialect = typeof id === 'string' ? (this.own.get(id) ?? dialects.get(id)) : undefined;
    if (dialect !== undefined) return dialect;
    if (typeof id !== 'string') throw new CommandError(`"dialect" must be the id of one, or ${anyDialect}. ${list}`);
    const guess = didYouMean(id, [...this.own.keys(), ...dialects.keys(), anyDialect]);
    throw new UsageError(`There is no dialect ${JSON.stringify(id)}${guess || '.'} ${list}`);
  }
}

/** What the configuration adds to the built-in dialects: the file that is named, or the one that `serve` would take. */
export function readDialects(terminal: Terminal, { config: named }: { readonly config?: string }): KnownDialects {
  const { config } = readConfig(terminal, named === undefined ? {} : { config: named });
  const report = (message: string) => void terminal.stderr.write(`${message}\n`);
  return new KnownDialects(createOwnDialects(config.dialects, { cwd: terminal.cwd, report }));
}
