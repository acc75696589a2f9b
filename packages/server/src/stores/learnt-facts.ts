import { type KeptFacts, MemoryFactStore, type ModelFacts, nameOfModel } from '@dragoman/core';
import type { Log } from '../log/create-log.ts';
import type { Database } from './database.ts';
import { recordKey } from './keyed-rows.ts';
import { readKeptFacts } from './read-stored.ts';
import type { SqlClient } from './sql-client.ts';
import type { WriteQueue } from './write-queue.ts';

interface FactsOptions {
  readonly database: Database;
  readonly queue: WriteQueue;
  readonly log: Pick<Log, 'info'>;
  /** Hears it, too. */
  readonly learnt?: ((kept: KeptFacts) => void) | undefined;
}

/**
 * Facts of models in memory, with a database after it that is read once: what another gateway learns meanwhile, this one
 * finds out by itself. Never rejects: of a database that fails, what it knows is read when it works again.
 */
export async function openFacts({ database, queue, log, learnt }: FactsOptions): Promise<MemoryFactStore> {
  const facts = new MemoryFactStore({
    learnt: (kept) => {
      reportLearnt(log, kept);
      learnt?.(kept);
      const key = recordKey('', nameOfModel(kept.key));
      queue.push({ act: 'put', table: 'dragoman_facts', key, body: JSON.stringify(kept), itemKeys: [], at: kept.at });
    },
  });
  let isRead = false;
  const read = async () => {
    if (isRead) return;
    const known = await readFacts(database).catch(() => undefined);
    isRead = known !== undefined;
    for (const kept of known ?? []) if (facts.get(kept.key) === undefined) facts.restore(kept);
  };
  database.onRecovery(() => void read());
  await read();
  return facts;
}

/** What a database knows of models, the oldest first. Only reads. Rejects as `run` does. */
export async function readFacts(database: Pick<SqlClient, 'run'>): Promise<readonly KeptFacts[]> {
  const [rows = []] = await database.run([{ sql: 'SELECT body FROM dragoman_facts ORDER BY used_at' }]);
  return rows.map(({ body }) => readKeptFacts(String(body)));
}

/** Once for each thing that is learnt: a model rule that says it makes it last. */
export function reportLearnt(log: Pick<Log, 'info'>, { key, facts }: KeptFacts): void {
  log.info(`learnt of the model "${key.model}" of "${key.upstream}": ${wordsOf(facts).join('; ')}`);
}

/** What was learnt of a model, in words. */
function wordsOf({ tools, dialect, grammar, quirks }: ModelFacts): readonly string[] {
  return [
    ...(tools === undefined ? [] : [toolWords[tools]]),
    ...(dialect === undefined ? [] : [`it writes ${dialect}`]),
    ...(grammar === undefined ? [] : ['its server refuses grammars of calls, so calls are only taught']),
    ...(quirks === undefined ? [] : [`its requests need ${JSON.stringify(quirks)}`]),
  ];
}

const toolWords: Readonly<Record<NonNullable<ModelFacts['tools']>, string>> = {
  called: 'it calls tools natively',
  refused: 'its server refuses tools, so it is taught them',
  ignored: 'its server ignores tools, so it is taught them',
  written: 'it calls tools in text, so it is taught them',
};
