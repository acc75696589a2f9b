import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallIdStore,
  type ConversationStore,
  type KeptFacts,
  MemoryCallIdStore,
  MemoryConversationStore,
  MemoryFactStore,
  MemoryResponseStore,
  type ResponseStore,
} from '@dragoman/core';
import { everyUnrefInterval } from './after.ts';
import { resolveSecret } from './config/check-references.ts';
import { openRecords, type RecordsSetup } from './records/open-records.ts';
import type { Records } from './records/records.ts';
import { Database } from './stores/database.ts';
import { openFacts, reportLearnt } from './stores/learnt-facts.ts';
import { Retention } from './stores/retention.ts';
import type { SqlClient } from './stores/sql-client.ts';
import { StoredCallIds } from './stores/stored-call-ids.ts';
import { StoredConversations } from './stores/stored-conversations.ts';
import { StoredResponses } from './stores/stored-responses.ts';
import { WriteQueue } from './stores/write-queue.ts';

/** Everything that the gateway keeps beyond a request. */
export interface Stores {
  /** What the Responses API stores. */
  readonly responses: ResponseStore;
  /** What belongs to an open connection, and never leaves this process. */
  readonly held: ResponseStore;
  /** The foreign ids of one caller's calls. */
  callIdsOf(owner: string): CallIdStore;
  /** Where one caller's conversations are at upstreams that keep them. */
  conversationsOf(owner: string): ConversationStore;
  /** Has at hand what is stored of these ids; undefined when there is nothing to wait for. Never rejects. */
  fetchCallIds(owner: string, callIds: readonly string[]): Promise<void> | undefined;
  /** What was learnt of models, for all callers. */
  readonly facts: MemoryFactStore;
  /** What was asked of upstreams; absent where nothing is recorded. */
  readonly records: Records | undefined;
  /** How it is doing, for `/health`. */
  health(): StoreHealth;
  /** Writes what still waits, and closes. */
  close(): Promise<void>;
}

export interface StoreHealth {
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  readonly status: 'ok' | 'failing';
  /** Writes that are not in the database yet. */
  readonly waiting: number;
}

export interface StoreOptions extends RecordsSetup {
  /** Several processes of one gateway use the same store. Default: one has it to itself, unless it is made for many. */
  readonly shared?: boolean;
  /** Hears what was learnt of a model. */
  readonly learnt?: (kept: KeptFacts) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const minute = 60_000;

/** Between two looks at what is too old, or too much, in milliseconds. */
const sweepEvery = 10 * minute;

/** About the most memory for ids of calls that upstreams made too long to be carried inside ours. */
const callIdBytes = 4 * 1024 * 1024;

/** About the most memory for places in conversations, where they are kept there. */
const conversationBytes = 16 * 1024 * 1024;

/** About the most places in conversations, one for each reply. */
const mostPlaces = 10_000;

/** After so long without a word, a place in a conversation is worth no memory. */
const longestIdle = 30 * minute;

/** Opens what `store` names. Rejects with a StoreError when that will not get better by itself. */
export async function openStores(options: StoreOptions): Promise<Stores> {
  const { store } = options.config;
  if (store === 'memory') return openMemory(options);
  if (typeof store === 'string') {
    const { SqliteClient } = await import('./stores/sqlite-client.ts');
    const client = new SqliteClient(store.slice('sqlite:'.length), { shared: options.shared === true });
    return openDatabase(options, { kind: 'sqlite', client });
  }
  const { PostgresClient } = await import('./stores/postgres-client.ts');
  const client = new PostgresClient(resolveSecret(store.postgres, options.env));
  return openDatabase(options, { kind: 'postgres', client });
}

async function openMemory(options: StoreOptions): Promise<Stores> {
  const { limits } = options.config;
  const responses = new MemoryResponseStore({ maxSize: limits.responseBytes });
  const callIds = new MemoryCallIdStore({ maxSize: callIdBytes });
  const conversations = new MemoryConversationStore({
    maxSize: conversationBytes,
    maxCount: mostPlaces,
    maxIdle: longestIdle,
  });
  const stopSweeping = everyUnrefInterval(sweepEvery, () => conversations.sweep());
  const records = await openRecords(options);
  return {
    responses,
    held: responses,
    callIdsOf: (owner) => callIds.of(owner),
    conversationsOf: (owner) => conversations.of(owner),
    fetchCallIds: () => undefined,
    facts: new MemoryFactStore({
      learnt(kept) {
        reportLearnt(options.log, kept);
        options.learnt?.(kept);
      },
    }),
    records,
    health: () => ({ kind: 'memory', status: 'ok', waiting: 0 }),
    async close() {
      stopSweeping();
      await records?.close();
    },
  };
}

async function openDatabase(
  options: StoreOptions,
  { kind, client }: { readonly kind: 'sqlite' | 'postgres'; readonly client: SqlClient },
): Promise<Stores> {
  const { config, log, redact } = options;
  const { limits, retention } = config;
  const now = () => Date.now();
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false });
  const database = new Database({ client, log, now });
  await database.open();
  const pruning = new Retention({
    database,
    maxAge: retention.days * 24 * 60 * minute,
    maxSize: retention.bytes,
    mostPoints: mostPlaces,
    interval: sweepEvery,
    now,
  });
  const onWritten = (size: number) => pruning.wrote(size);
  const queue = new WriteQueue({ database, maxSize: limits.responseBytes, log, onWritten });
  const callIds = new StoredCallIds({ database, queue, maxSize: callIdBytes, now, wait });
  const conversations = new StoredConversations({ database, queue, now, wait });
  // The database tells its own failures.
  if (!database.fails) await pruning.prune().catch(() => {});
  const records = await openRecords(options, database);
  return {
    responses: new StoredResponses({ database, queue, redact, maxChain: limits.responseBytes, now, wait }),
    held: new MemoryResponseStore({ maxSize: limits.responseBytes }),
    callIdsOf: (owner) => callIds.of(owner),
    conversationsOf: (owner) => conversations.of(owner),
    fetchCallIds: (owner, ids) => (ids.length === 0 ? undefined : callIds.fetch(owner, ids)),
    facts: await openFacts({ database, queue, log, learnt: options.learnt }),
    records,
    health: () => ({ kind, status: database.fails ? 'failing' : 'ok', waiting: queue.waiting }),
    async close() {
      pruning.close();
      await queue.close();
      await records?.close();
      await conversations.close();
      await database.close();
    },
  };
}
