import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A PostgreSQL server of its own, on a socket in a folder of its own. */
export interface PostgresServer {
  /** Makes an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /** Ends it, at once unless `way` says otherwise; `start` brings the server back with what it holds. */
  stop(way?: StopWay): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes what it wrote. */
  close(): Promise<void>;
}

/** PostgreSQL's own names for how it stops; `kill` gives it no time at all. */
export type StopWay = keyof typeof stopSignals;

const stopSignals = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

/** Milliseconds that "smart" waits for clients to go, as whoever stops a server does, before "fast" breaks them off. */
const patience = 300;

const run = promisify(execFile);

/** Where Debian installs it, newest first, and wherever else commands are. */
const folders = [...debianFolders(), ...(process.env.PATH ?? '').split(delimiter)];

/** The folder of PostgreSQL's programs; undefined where they are not installed. */
export const postgresFolder = folders.find((folder) => existsSync(join(folder, 'initdb')));

function debianFolders(): readonly string[] {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, 'bin'));
}

/** Throws where PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresServer> {
  if (postgresFolder === undefined)
    throw new Error('PostgreSQL is not installed; on Debian it is the package postgresql');
  const folder = postgresFolder;
  const home = await mkdtemp(join(tmpdir(), 'dragoman-postgres-'));
  const user = await userOf(home);
  const data = join(home, 'data');
  await run(join(folder, 'initdb'), ['-D', data, '-U', 'dragoman', '--auth=trust', '--no-sync', '--encoding=UTF8'], {
    cwd: home,
    ...user,
  });
  const address = (database: string) => `postgres://dragoman@localhost/${database}?host=${encodeURIComponent(home)}`;
  let stop = async (_way: StopWay): Promise<void> => {};
  const start = async () => {
    const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', home];
    const server = spawn(join(folder, 'postgres'), ['-D', data, ...settings], { cwd: home, stdio: 'ignore', ...user });
    const ended = once(server, 'exit');
    stop = async (way) => {
      server.kill(stopSignals[way]);
      const hurry = setTimeout(() => server.kill(stopSignals.fast), patience);
      await ended;
      clearTimeout(hurry);
    };
    // One that was killed leaves children behind, which have to be gone before the next begins.
    const isUp = await Promise.race([answering(address('postgres')).then(() => true), ended.then(() => false)]);
    if (!isUp) await start();
  };
  await start();
  let databases = 0;
  return {
    start,
    stop: (way = 'immediate') => stop(way),
    async createDatabase() {
      databases += 1;
      await query(address('postgres'), `CREATE DATABASE test_${databases}`);
      return address(`test_${databases}`);
    },
    async close() {
      await stop('immediate');
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function query(address: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: address });
  // The server may break the connection off, at the end, too.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user that Debian makes for it, else as nobody. */
async function userOf(home: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (what: string, user: string) => Number((await run('id', [what, user])).stdout);
  const user = await run('id', ['postgres']).then(
    () => 'postgres',
    () => 'nobody',
  );
  const [uid, gid] = [await idOf('-u', user), await idOf('-g', user)];
  await chown(home, uid, gid);
  return { uid, gid };
}

/** Asks until the server answers. */
async function answering(address: string): Promise<void> {
  for (;;) {
    try {
      await query(address, 'SELECT 1');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
