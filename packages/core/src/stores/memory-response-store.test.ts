import { describeResponseStore, storedResponseOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { MemoryResponseStore } from './memory-response-store.ts';

describeResponseStore('memory', async () => new MemoryResponseStore({ maxSize: 2_000_000 }));

describe('the store of responses in memory', () => {
  it('forgets what was not used for longest when there is no room, and never keeps more', async () => {
    const size = JSON.stringify(storedResponseOf('a')).length;
    const store = new MemoryResponseStore({ maxSize: size * 3 });
    for (const id of ['a', 'b', 'c']) store.put(storedResponseOf(id));
    await store.get('a', 'me');
    store.put(storedResponseOf('d'));
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.get(id, 'me')));
    expect(left.map((one) => one?.id)).toEqual(['a', undefined, 'c', 'd']);
    expect(store.put(storedResponseOf('e', { response: { text: 'x'.repeat(size * 3) } }))).toBe(false);
    expect(await store.get('e', 'me')).toBeUndefined();
    expect(await store.get('d', 'me')).toBeDefined();
  });
});
