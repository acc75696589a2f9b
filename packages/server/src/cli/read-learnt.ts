import { MemoryFactStore } from '@dragoman/core';
import type { Config } from '../config/schema.ts';
import { readFacts } from '../stores/learnt-facts.ts';
import { openExisting } from '../stores/open-existing.ts';
import type { Terminal } from './terminal.ts';

/**
 * What gateways have learnt of models, out of the database that the configuration names. Nothing is known where there is
 * none, or none that can be read: with `"store": "memory"` only the running gateway knows.
 */
export async function readLearnt(
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
  { store }: Pick<Config, 'store'>,
): Promise<MemoryFactStore> {
  const facts = new MemoryFactStore();
  if (store === 'memory') return facts;
  const client = await openExisting({ store, env, cwd });
  if ('missing' in client) return facts;
  try {
    // A database of an older version has no such table.
    for (const kept of await readFacts(client).catch(() => [])) facts.restore(kept);
  } finally {
    await client.close();
  }
  return facts;
}
