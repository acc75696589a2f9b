import type { ConversationPoint, ConversationStore } from '@dragoman/core';
import { describe, expect, it } from 'vitest';

/** The stores of all callers together. `of` gives each caller its own. */
export interface ConversationStores {
  of(owner: string): ConversationStore;
}

/** A point whose conversation is named for it. */
export function conversationPointOf(id: string, more: Partial<ConversationPoint> = {}): ConversationPoint {
  return { id, conversation: `chat of ${id}`, depth: 1, told: '', exact: '', shown: [], ...more };
}

/** The ids of the points that a key leads to, the latest last. */
export async function pointsUnder(store: ConversationStore, key: string): Promise<readonly string[]> {
  return ((await store.find([key])).get(key) ?? []).map(({ id }) => id);
}

/** What every store of conversations promises. `open` gives empty ones with room for some hundred points. */
export function describeConversationStore(name: string, open: () => Promise<ConversationStores>): void {
  const standing = async (store: ConversationStore, key: string) =>
    ((await store.find([key])).get(key) ?? []).map(({ continuations, open }) => ({ continuations, open }));

  describe(`the store of conversations: ${name}`, () => {
    it('gives back a point as it was put, under each of its keys', async () => {
      const store = (await open()).of('ann');
      const whole = conversationPointOf('a', {
        parent: 'p',
        told: 't',
        exact: 'e',
        shown: ['s'],
        identity: "it's me; --\u0000\ud800",
      });
      await store.put(whole, ['plain', 'alias', 'plain']);
      const found = await store.find(['plain', 'alias', 'other']);
      const known = [{ ...whole, continuations: 0, open: 0 }];
      expect(found.get('plain')).toEqual(known);
      expect(found.get('alias')).toEqual(known);
      expect(found.get('other') ?? []).toEqual([]);
      expect([...(await store.find([])).keys()]).toEqual([]);
    });

    it('gives several points of one key, the latest last', async () => {
      const store = (await open()).of('ann');
      for (const id of ['b', 'a', 'c']) await store.put(conversationPointOf(id), ['plain']);
      expect(await pointsUnder(store, 'plain')).toEqual(['b', 'a', 'c']);
    });

    it('A-222 keeps callers apart, whatever their names and keys are', async () => {
      const stores = await open();
      const awkward = ['ann', 'bob', '', "'; DROP TABLE x; --", '\u0000', '\ud800', '%', '$1', 'x'.repeat(5000)];
      for (const owner of awkward) {
        const own = conversationPointOf('a', { conversation: `of ${awkward.indexOf(owner)}` });
        await stores.of(owner).put(own, ['key', owner]);
      }
      await stores.of('ann').take('a');
      for (const [at, owner] of awkward.entries()) {
        const known = { conversation: `of ${at}`, continuations: owner === 'ann' ? 1 : 0 };
        const found = await stores.of(owner).find(['key', owner]);
        expect(found.get('key')).toMatchObject([known]);
        expect(found.get(owner)).toMatchObject([known]);
      }
      expect(await pointsUnder(stores.of('an'), 'n key')).toEqual([]);
      expect(await stores.of('eve').take('a')).toBeUndefined();
    });

    it('counts what goes out after a point, what of it is under way, and what is withdrawn', async () => {
      const store = (await open()).of('ann');
      await store.put(conversationPointOf('a'), ['key']);
      expect(await store.take('a')).toEqual({ continuations: 0, open: 0 });
      expect(await store.take('a')).toEqual({ continuations: 1, open: 1 });
      expect(await standing(store, 'key')).toEqual([{ continuations: 2, open: 2 }]);
      store.settle('a', 'kept');
      expect(await standing(store, 'key')).toEqual([{ continuations: 2, open: 1 }]);
      store.settle('a', 'withdrawn');
      expect(await standing(store, 'key')).toEqual([{ continuations: 1, open: 0 }]);
      store.settle('a', 'withdrawn');
      store.settle('a', 'withdrawn');
      expect(await standing(store, 'key')).toEqual([{ continuations: 0, open: 0 }]);
      expect(await store.take('unknown')).toBeUndefined();
      store.settle('unknown', 'kept');
    });

    it('A-226: of many who take a point at once, one is the first', async () => {
      const store = (await open()).of('ann');
      await store.put(conversationPointOf('a'), ['key']);
      const seen = await Promise.all(Array.from({ length: 8 }, () => store.take('a')));
      expect(seen.map((before) => before?.continuations).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });

    it('keeps a bounded number of points of one key, the latest', async () => {
      const store = (await open()).of('ann');
      for (let at = 0; at < 40; at += 1) await store.put(conversationPointOf(`p${at}`), ['key']);
      const known = await pointsUnder(store, 'key');
      expect(known.length).toBeLessThanOrEqual(32);
      expect(known.at(-1)).toBe('p39');
      expect(known[0]).toBe(`p${40 - known.length}`);
    });
  });
}
