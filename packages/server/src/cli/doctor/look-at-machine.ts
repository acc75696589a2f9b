import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { openExisting } from '../../stores/open-existing.ts';
import { StoreError } from '../../stores/sql-client.ts';
import { stateFolder } from '../state-folder.ts';
import type { Terminal } from '../terminal.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Node and the folder of our state. Older Nodes than the oldest that will do come no further than `bin/dragoman.js`. */
export function lookAtMachine(terminal: Terminal): readonly Diagnosis[] {
  const folder = stateFolder(terminal);
  const problem = whyNotWritable(folder);
  return [
    { about: 'node', is: 'good', says: `Node ${process.versions.node}` },
    problem === undefined
      ? { about: 'state', is: 'good', says: `${folder} can be written` }
      : {
          about: 'state',
          is: 'broken',
          says: `${folder} cannot be written: ${problem}. Chats and what "connect" has written are not kept.`,
          cure: 'Make it a folder that you may write, or name another with XDG_STATE_HOME.',
        },
  ];
}

/** The database that the configuration names; nothing where it names none. */
export async function lookAtStore(
  { env, cwd }: Terminal,
  { store }: Pick<Config, 'store'>,
): Promise<readonly Diagnosis[]> {
  const about = 'store';
  if (store === 'memory') return [];
  try {
    const client = await openExisting({ store, env, cwd });
    if ('missing' in client) {
      const problem = whyNotWritable(dirname(client.missing));
      if (problem === undefined) return [{ about, is: 'good', says: `${client.missing} is made at the first start` }];
      return [
        {
          about,
          is: 'broken',
          says: `${client.missing} cannot be made: ${problem}.`,
          cure: 'Give "store" a file in a folder that you may write.',
        },
      ];
    }
    try {
      await client.run([{ sql: 'SELECT 1' }]);
    } finally {
      await client.close();
    }
    if (typeof store === 'string') {
      const problem = whyNotWritable(resolve(cwd, store.slice('sqlite:'.length)));
      if (problem !== undefined) {
        const says = `${client.place} cannot be written: ${problem}.`;
        return [{ about, is: 'broken', says, cure: 'Give yourself the right to write it, or name another "store".' }];
      }
    }
    return [{ about, is: 'good', says: `${client.place} answers` }];
  } catch (thrown) {
    if (!(thrown instanceof StoreError)) throw thrown;
    const cure =
      thrown.kind === 'unreachable' && typeof store !== 'string'
        ? 'Start PostgreSQL there, or correct the address in "store".'
        : 'Name another file or database in "store", or move this one away.';
    return [{ about, is: 'broken', says: thrown.message, cure }];
  }
}

/** Why nothing can be written at a path, or, where it is not there yet, in the nearest folder above it that is; undefined where it can. */
function whyNotWritable(path: string): string | undefined {
  if (!existsSync(path) && dirname(path) !== path) {
    const above = dirname(path);
    if (statSync(above, { throwIfNoEntry: false })?.isFile() === true) return `${above} is a file`;
    return whyNotWritable(above);
  }
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown ? `${String(thrown.code)} at ${path}` : String(thrown);
  }
}
