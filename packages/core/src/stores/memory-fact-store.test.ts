import { expect, it } from 'vitest';
import type { ModelKey } from './fact-store.ts';
import { type KeptFacts, lastsUnversioned, MemoryFactStore } from './memory-fact-store.ts';

const key = { upstream: 'up', address: 'http://a/v1', model: 'm', version: '1' };

it('facts are of one model at one place, and of one version', () => {
  const store = new MemoryFactStore();
  store.put(key, { tools: 'refused' });
  expect(store.get(key)).toEqual({ tools: 'refused' });
  const others: readonly Partial<ModelKey>[] = [
    { upstream: 'other' },
    { address: 'http://b/v1' },
    { model: 'n' },
    { version: '2' },
  ];
  for (const other of others) expect(store.get({ ...key, ...other })).toBeUndefined();
});

it('count for a day where nobody knows the version, and before the list is read for that which was there', () => {
  let now = 0;
  const heard: KeptFacts[] = [];
  const store = new MemoryFactStore({ now: () => now, learnt: (kept) => heard.push(kept) });
  const bare = { upstream: 'up', model: 'm' };
  store.put(bare, { tools: 'ignored' });
  now = lastsUnversioned;
  expect(store.get(bare)).toEqual({ tools: 'ignored' });
  now += 1;
  expect([store.get(bare), [...store.all()]]).toEqual([undefined, []]);
  store.put({ ...bare, version: '1' }, { tools: 'refused' });
  expect(store.get(bare)).toEqual({ tools: 'refused' });
  store.put(bare, { tools: 'refused', dialect: 'glm' });
  expect(heard.at(-1)).toMatchObject({ key: { version: '1' }, facts: { dialect: 'glm' } });
  expect(store.get({ ...bare, version: '2' })).toBeUndefined();
});

it('holds so many models, those that were learnt last', () => {
  const store = new MemoryFactStore();
  for (let at = 0; at <= 1000; at += 1) store.put({ ...key, model: `m${at}` }, { tools: 'called' });
  expect([...store.all()]).toHaveLength(1000);
  expect(store.get({ ...key, model: 'm0' })).toBeUndefined();
});
