import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/schema.ts';
import type { Log } from '../log/create-log.ts';
import type { Redact } from '../log/redact.ts';
import { Database } from '../stores/database.ts';
import { WriteQueue } from '../stores/write-queue.ts';
import { RecordArchive } from './record-archive.ts';
import { RecordRetention } from './record-retention.ts';
import { Records } from './records.ts';

/** Milliseconds. */
const day = 24 * 3_600_000;

/** Days after which an archive is deleted. */
const archiveDays = 90;

/** About the most memory for records: for all of them, or for those that no database has written yet. */
const maxSize = 64 * 1024 * 1024;

/** Milliseconds after which the database is told anew that a passage is used: in memory there is room for little that is not. */
const renewedAfter = { file: 10 * 60_000, memory: 60_000 };

/** Milliseconds that a record waits for others: a transaction costs as much for one as for many. */
const delay = 100;

/** What the records share with the rest of what is kept. */
export interface RecordsSetup {
  readonly config: Config;
  readonly log: Log;
  readonly redact: Redact;
  /** `length` random lower-case hexadecimal digits. */
  readonly randomHex: (length: number) => string;
}

/**
 * Opens the records in this database; without one in a database in memory, which ends with the process. Undefined where
 * the configuration wants none.
 */
export async function openRecords(options: RecordsSetup, given?: Database): Promise<Records | undefined> {
  const { config, log, redact, randomHex } = options;
  const { level, exchangeBytes: room, retention } = config.records;
  if (level === 'off') return undefined;
  const now = () => Date.now();
  const database = given ?? (await openMemory(options));
  const renewing = given === undefined ? renewedAfter.memory : renewedAfter.file;
  const keeping = new RecordRetention({
    database,
    archive: archiveOf(options),
    maxAge: retention.days * day,
    maxSize: given === undefined ? maxSize : retention.bytes,
    // As long again for records that wait for their turn.
    slack: 2 * renewing,
    interval: day,
    log,
    now,
  });
  // At the start nobody waits for it; the database tells its own failures.
  if (!database.fails) keeping.pruneInBackground();
  return new Records({
    level,
    room,
    database,
    queue: new WriteQueue({ database, maxSize, log, delay, onWritten: (size) => keeping.wrote(size) }),
    redact,
    renewedAfter: renewing,
    log,
    randomHex,
    now,
    wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
    async onClosed() {
      await keeping.close();
      if (given === undefined) await database.close();
    },
  });
}

function archiveOf({ config, randomHex }: RecordsSetup): RecordArchive | undefined {
  const { archive: folder } = config.records.retention;
  if (folder === undefined) return undefined;
  return new RecordArchive({ folder, maxAge: archiveDays * day, now: () => Date.now(), randomHex });
}

async function openMemory({ log }: RecordsSetup): Promise<Database> {
  const { SqliteClient } = await import('../stores/sqlite-client.ts');
  const database = new Database({ client: new SqliteClient(':memory:'), log, now: () => Date.now() });
  await database.open();
  return database;
}
