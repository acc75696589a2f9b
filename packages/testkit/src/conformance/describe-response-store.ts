import type { ResponseStore, StoredResponse } from '@dragoman/core';
import { describe, expect, it } from 'vitest';

/** A stored response whose items bear its id. */
export function storedResponseOf(id: string, more: Partial<StoredResponse> = {}): StoredResponse {
  return {
    id,
    owner: 'me',
    response: { id },
    input: [{ id: `${id}-in`, text: 'asked' }],
    output: [{ id: `${id}-out`, text: 'said' }],
    ...more,
  };
}

/** What every store of responses promises. `open` gives an empty one with room for some hundred kilobytes. */
export function describeResponseStore(name: string, open: () => Promise<ResponseStore>): void {
  describe(`the store of responses: ${name}`, () => {
    it('C-131 gives back what was put, at once, and only to its owner', async () => {
      const store = await open();
      const whole = storedResponseOf('a', { previousId: 'before', frames: ['data: {}\n\n'] });
      expect(store.put(whole)).toBe(true);
      expect(await store.get('a', 'me')).toEqual(whole);
      expect(await store.get('a', 'you')).toBeUndefined();
      expect(await store.items(['a-in'], 'you')).toEqual(new Map());
      expect(await store.delete('a', 'you')).toBe(false);
      expect(await store.get('a', 'me')).toEqual(whole);
    });

    it('C-131 forgets what is deleted, and its items, and says whether there was anything', async () => {
      const store = await open();
      store.put(storedResponseOf('a'));
      expect(await store.delete('a', 'me')).toBe(true);
      expect(await store.get('a', 'me')).toBeUndefined();
      expect(await store.items(['a-in', 'a-out'], 'me')).toEqual(new Map());
      expect(await store.delete('a', 'me')).toBe(false);
      store.put(storedResponseOf('a'));
      expect(await store.get('a', 'me')).toEqual(storedResponseOf('a'));
    });

    it('C-131 gives a response with all that it continues, however many, and only to its owner', async () => {
      const store = await open();
      const ids = Array.from({ length: 300 }, (_, at) => `r${at}`);
      for (const [at, id] of ids.entries()) {
        store.put(storedResponseOf(id, at === 0 ? {} : { previousId: `r${at - 1}` }));
      }
      const idsOf = async (id: string, owner = 'me') => (await store.chain(id, owner)).map((stored) => stored.id);
      expect(await idsOf('r299')).toEqual([...ids].reverse());
      expect((await store.chain('r1', 'me'))[1]).toEqual(storedResponseOf('r0'));
      expect(await idsOf('r299', 'you')).toEqual([]);
      expect(await idsOf('other')).toEqual([]);
      await store.delete('r100', 'me');
      expect(await idsOf('r299')).toEqual([...ids].reverse().slice(0, 199));
    });

    it('finds items of input and output by their ids', async () => {
      const store = await open();
      store.put(storedResponseOf('a'));
      store.put(storedResponseOf('b'));
      const items = await store.items(['a-in', 'b-out', 'x'], 'me');
      expect(items).toEqual(
        new Map([
          ['a-in', { id: 'a-in', text: 'asked' }],
          ['b-out', { id: 'b-out', text: 'said' }],
        ]),
      );
      expect(await store.items([], 'me')).toEqual(new Map());
    });

    it('keeps its own copy, and replaces what comes again', async () => {
      const store = await open();
      const item = { id: 'i', text: 'before' };
      store.put(storedResponseOf('a', { output: [item] }));
      item.text = 'after';
      expect((await store.get('a', 'me'))?.output).toEqual([{ id: 'i', text: 'before' }]);
      store.put(storedResponseOf('a', { output: [] }));
      expect((await store.get('a', 'me'))?.output).toEqual([]);
      expect(await store.items(['i'], 'me')).toEqual(new Map());
    });

    it('keeps owners and ids apart, whatever they hold', async () => {
      const store = await open();
      const awkward = ["'; DROP TABLE x; --", 'a\u0000b', '\ud800', 'ä ö', 'x'.repeat(5000), '%', '$1', ''];
      for (const owner of ['ann', 'an', ...awkward]) {
        for (const id of ['n a', 'a', ...awkward]) store.put(storedResponseOf(id, { owner, response: { owner, id } }));
      }
      for (const owner of ['ann', 'an', ...awkward]) {
        for (const id of ['n a', 'a', ...awkward]) {
          expect((await store.get(id, owner))?.response).toEqual({ owner, id });
        }
      }
    });

    it('keeps texts as they are: control characters, halves of characters, long ones', async () => {
      const store = await open();
      const text = `\u0000\u0001\ud83d \udc00 "\\ 😀 ${'long '.repeat(10_000)}`;
      const whole = storedResponseOf('a', { input: [{ id: 'i', text }], frames: [text] });
      store.put(whole);
      expect(await store.get('a', 'me')).toEqual(whole);
    });

    it('takes more items than any statement has room for', async () => {
      const store = await open();
      const input = Array.from({ length: 1200 }, (_, at) => ({ id: `i${at}`, at }));
      store.put(storedResponseOf('a', { input }));
      const found = await store.items([...input.map(({ id }) => id), 'i0'], 'me');
      expect(input.map(({ id }) => found.get(id))).toEqual(input);
      expect(found.size).toBe(1200);
    });

    it('does not take what is larger than all of it', async () => {
      const store = await open();
      expect(store.put(storedResponseOf('a', { response: { text: 'x'.repeat(3_000_000) } }))).toBe(false);
      expect(await store.get('a', 'me')).toBeUndefined();
    });
  });
}
