import { describe, expect, it } from 'vitest';
import type { ForeignId } from './call-id-store.ts';
import { MemoryCallIdStore } from './memory-call-id-store.ts';

const foreign = (id: string): ForeignId => ({ kind: 'wire', id, upstream: 'up' });

describe('a store of call ids in memory', () => {
  it('E-012 gives each caller back what was put in for it', () => {
    const store = new MemoryCallIdStore({ maxSize: 10_000 });
    store.of('ann').put('call_1', foreign('of ann'));
    store.of('bob').put('call_1', foreign('of bob'));
    store.of('').put('call_1', foreign('of nobody'));
    expect(store.of('ann').get('call_1')).toEqual(foreign('of ann'));
    expect(store.of('bob').get('call_1')).toEqual(foreign('of bob'));
    expect(store.of('').get('call_1')).toEqual(foreign('of nobody'));
    expect(store.of('eve').get('call_1')).toBeUndefined();
    expect(store.of('an').get('n call_1')).toBeUndefined();
  });

  it('forgets what was not used for longest, and never grows beyond its bound', () => {
    const ids = new MemoryCallIdStore({ maxSize: 3000 }).of('a');
    for (let at = 0; at < 10; at += 1) ids.put(`call_${at}`, foreign('x'.repeat(150)));
    const kept = () => Array.from({ length: 10 }, (_, at) => at).filter((at) => ids.get(`call_${at}`) !== undefined);
    expect(kept()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    ids.get('call_0');
    ids.put('call_10', foreign('x'.repeat(500)));
    expect(kept()).toContain(0);
    expect(kept()).not.toContain(1);
  });

  it('leaves out what is larger than all of it, and replaces what is put again', () => {
    const ids = new MemoryCallIdStore({ maxSize: 300 }).of('a');
    ids.put('call_1', foreign('first'));
    ids.put('call_1', foreign('second'));
    ids.put('call_2', foreign('x'.repeat(1000)));
    expect(ids.get('call_1')).toEqual(foreign('second'));
    expect(ids.get('call_2')).toBeUndefined();
  });
});
