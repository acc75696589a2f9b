import { onTestFinished } from 'vitest';
import { createRedact } from '../../src/log/redact.ts';
import { Database } from '../../src/stores/database.ts';
import { Retention } from '../../src/stores/retention.ts';
import type { SqlClient } from '../../src/stores/sql-client.ts';
import { StoredCallIds } from '../../src/stores/stored-call-ids.ts';
import { StoredConversations } from '../../src/stores/stored-conversations.ts';
import { StoredResponses } from '../../src/stores/stored-responses.ts';
import { WriteQueue } from '../../src/stores/write-queue.ts';

export interface OpenOptions {
  readonly client: SqlClient;
  readonly maxSize?: number;
  readonly maxAge?: number;
  readonly maxStored?: number;
  readonly mostPoints?: number;
  readonly secrets?: readonly string[];
  readonly every?: (milliseconds: number, tick: () => void) => () => void;
  /** What its users do while they wait for something that another process may write. Default: they go on. */
  readonly onWait?: () => Promise<void>;
}

/** All that is between the gateway and a database, with a clock and a log that a test can read. */
export async function openForTest(options: OpenOptions) {
  const {
    client,
    maxSize = 2_000_000,
    maxAge = 0,
    maxStored = 0,
    mostPoints = 1000,
    secrets = [],
    onWait,
    every,
  } = options;
  const lines: string[] = [];
  const clock = { now: 1_000_000 };
  const tries: (() => void)[] = [];
  const note = (message: string) => {
    lines.push(message);
  };
  const log = { info: note, warn: note, error: note };
  const now = () => clock.now;
  const wait = async () => {
    await onWait?.();
  };
  const database = new Database({
    client,
    log,
    now,
    later: (_, call) => {
      tries.push(call);
      return () => {
        tries.splice(tries.indexOf(call) >>> 0, 1);
      };
    },
  });
  await database.open();
  const queue = new WriteQueue({ database, maxSize, log });
  const retention = new Retention({ database, maxAge, maxSize: maxStored, mostPoints, interval: 60_000, now });
  const close = async () => {
    retention.close();
    await queue.close();
    await database.close();
  };
  onTestFinished(close);
  return {
    database,
    queue,
    retention,
    lines,
    clock,
    /** Lets the time pass after which a database that failed is tried again. */
    tryAgain: () => tries.shift()?.(),
    conversations: new StoredConversations({
      database,
      queue,
      now,
      wait: () => new Promise(() => {}),
      ...(every === undefined ? {} : { every }),
    }),
    responses: new StoredResponses({ database, queue, redact: createRedact(secrets), maxChain: maxSize, now, wait }),
    callIds: new StoredCallIds({ database, queue, maxSize: 20_000, now, wait: () => new Promise(() => {}) }),
  };
}
