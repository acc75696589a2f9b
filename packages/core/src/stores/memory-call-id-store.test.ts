import { describeCallIdStore } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ForeignId } from './call-id-store.ts';
import { MemoryCallIdStore } from './memory-call-id-store.ts';

describeCallIdStore('memory', async () => new MemoryCallIdStore({ maxSize: 10_000 }));

const foreign = (id: string): ForeignId => ({ kind: 'wire', id, upstream: 'up' });

describe('a store of call ids in memory', () => {
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
});
