import { type FactStore, type KeptFacts, MemoryFactStore } from '@dragoman/core';
import { isObject } from '../chat/read-message.ts';

/**
 * What answers have shown of models, such as that a server ignores tools, over restarts. `kept` is what `save` was given last, from
 * wherever a host keeps a text; what of it cannot be read is learnt anew.
 */
export function keepFacts(kept: unknown, save: (text: string) => void): FactStore {
  const facts = new MemoryFactStore({ learnt: () => save(JSON.stringify([...facts.all()])) });
  for (const each of read(kept)) facts.restore(each);
  return facts;
}

function read(kept: unknown): readonly KeptFacts[] {
  if (typeof kept !== 'string') return [];
  try {
    const all: unknown = JSON.parse(kept);
    return Array.isArray(all) ? all.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is KeptFacts {
  if (!isObject(value)) return false;
  const { key, facts, at } = value;
  const hasKey = isObject(key) && typeof key.upstream === 'string' && typeof key.model === 'string';
  return hasKey && isObject(facts) && typeof at === 'number';
}
