// A thread that runs SQL on one SQLite file, so that no reply waits for a disk. It is JavaScript because Node 20 starts no
// thread from TypeScript, and tests run from sources. src/stores/sqlite-client.ts is the only one to start it.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

/** Milliseconds to wait for another process that writes to the same file. */
const patience = 5_000;

let database;

parentPort.on('message', ({ id, sqls, runs }) => {
  try {
    database ??= open(workerData.path);
    parentPort.postMessage({ id, rows: run(sqls, runs) });
  } catch (error) {
    parentPort.postMessage({ id, problem: error instanceof Error ? error.message : String(error) });
  }
});

function open(path) {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true });
    // Conversations are nobody else's business; what SQLite puts beside the file gets the same rights.
    closeSync(openSync(path, 'a', 0o600));
  }
  const opened = new Database(path);
  opened.exec(`PRAGMA busy_timeout = ${patience}`);
  // With the log a crash of the process loses nothing that was written, and one of the machine at most the last moment.
  opened.pragma('journal_mode = WAL');
  opened.exec('PRAGMA synchronous = NORMAL');
  opened.exec('PRAGMA foreign_keys = ON');
  return opened;
}

/** `runs` have their values, and the place of their SQL in `sqls`. */
function run(sqls, runs) {
  const prepared = [];
  // Not before its turn: what comes before may make its table.
  const runOne = ({ place, values }) => {
    prepared[place] ??= statements.get(sqls[place]) ?? prepare(sqls[place]);
    if (prepared[place].reader) return prepared[place].all(...values).map(withBytes);
    prepared[place].run(...values);
    return [];
  };
  if (runs.length === 1) return runs.map(runOne);
  database.exec('BEGIN IMMEDIATE');
  try {
    const rows = runs.map(runOne);
    database.exec('COMMIT');
    return rows;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Statements that are used again and again, by their SQL; some of it has as many places as there are values. */
const statements = new Map();
const mostStatements = 100;

function prepare(sql) {
  // SQLite numbers `$1` by where it stands, and `?1` by its digits, as PostgreSQL does.
  const statement = database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
  if (statements.size >= mostStatements) statements.clear();
  statements.set(sql, statement);
  return statement;
}

/** Bytes come as buffers; PostgreSQL gives what can be read, and so do we. */
function withBytes(row) {
  for (const [name, value] of Object.entries(row)) if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
  return row;
}
