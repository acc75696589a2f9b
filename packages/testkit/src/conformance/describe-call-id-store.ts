import type { CallIdStore, ForeignId } from '@dragoman/core';
import { describe, expect, it } from 'vitest';

/** The stores of all callers together. `of` gives each caller its own. */
export interface CallIdStores {
  of(owner: string): CallIdStore;
}

/** What every store of foreign ids promises. `open` gives empty ones with room for some ten kilobytes. */
export function describeCallIdStore(name: string, open: () => Promise<CallIdStores>): void {
  const foreign = (id: string): ForeignId => ({ kind: 'wire', id, upstream: 'up' });

  describe(`the store of call ids: ${name}`, () => {
    it('E-012 gives each caller back what was put in for it, at once', async () => {
      const stores = await open();
      stores.of('ann').put('call_1', foreign('of ann'));
      stores.of('bob').put('call_1', { kind: 'native', id: 'of bob' });
      stores.of('').put('call_1', foreign('of nobody'));
      expect(stores.of('ann').get('call_1')).toEqual(foreign('of ann'));
      expect(stores.of('bob').get('call_1')).toEqual({ kind: 'native', id: 'of bob' });
      expect(stores.of('').get('call_1')).toEqual(foreign('of nobody'));
      expect(stores.of('eve').get('call_1')).toBeUndefined();
      expect(stores.of('an').get('n call_1')).toBeUndefined();
    });

    it('replaces what is put again, and leaves out what is larger than all of it', async () => {
      const ids = (await open()).of('a');
      ids.put('call_1', foreign('first'));
      ids.put('call_1', foreign('second'));
      ids.put('call_2', foreign('x'.repeat(100_000)));
      expect(ids.get('call_1')).toEqual(foreign('second'));
      expect(ids.get('call_2')).toBeUndefined();
    });

    it('E-012 keeps any id as it is', async () => {
      const ids = (await open()).of('a');
      const awkward = ['', '\u0000', '\ud800', "'; --", '😀', 'x'.repeat(1000)];
      for (const [at, id] of awkward.entries()) ids.put(`call_${at}`, foreign(id));
      for (const [at, id] of awkward.entries()) expect(ids.get(`call_${at}`)).toEqual(foreign(id));
    });
  });
}
