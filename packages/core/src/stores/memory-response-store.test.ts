import { describe, expect, it } from 'vitest';
import { MemoryResponseStore } from './memory-response-store.ts';
import type { StoredResponse } from './response-store.ts';

const stored = (id: string, more: Partial<StoredResponse> = {}): StoredResponse => ({
  id,
  owner: 'me',
  response: { id },
  input: [{ id: `${id}-in`, text: 'asked' }],
  output: [{ id: `${id}-out`, text: 'said' }],
  ...more,
});

const roomy = () => new MemoryResponseStore({ maxSize: 100_000 });

describe('the store of responses in memory', () => {
  it('C-131 gives back what was put, at once, and only to its owner', async () => {
    const store = roomy();
    store.put(stored('a'));
    expect(await store.get('a', 'me')).toEqual(stored('a'));
    expect(await store.get('a', 'you')).toBeUndefined();
    expect(await store.items(['a-in'], 'you')).toEqual(new Map());
    expect(await store.delete('a', 'you')).toBe(false);
  });

  it('finds items of input and output by their ids', async () => {
    const store = roomy();
    store.put(stored('a'));
    const items = await store.items(['a-in', 'a-out', 'x'], 'me');
    expect([...items]).toEqual([
      ['a-in', { id: 'a-in', text: 'asked' }],
      ['a-out', { id: 'a-out', text: 'said' }],
    ]);
    await store.delete('a', 'me');
    expect(await store.items(['a-in'], 'me')).toEqual(new Map());
  });

  it('forgets what was not used for longest when there is no room, and never keeps more', async () => {
    const size = JSON.stringify(stored('a')).length;
    const store = new MemoryResponseStore({ maxSize: size * 3 });
    for (const id of ['a', 'b', 'c']) store.put(stored(id));
    await store.get('a', 'me');
    store.put(stored('d'));
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.get(id, 'me')));
    expect(left.map((one) => one?.id)).toEqual(['a', undefined, 'c', 'd']);
    expect(store.put(stored('e', { response: { text: 'x'.repeat(size * 3) } }))).toBe(false);
    expect(await store.get('e', 'me')).toBeUndefined();
    expect(await store.get('d', 'me')).toBeDefined();
  });

  it('keeps its own copy, and replaces what comes again', async () => {
    const store = roomy();
    const item = { id: 'i', text: 'before' };
    store.put(stored('a', { output: [item] }));
    item.text = 'after';
    expect((await store.get('a', 'me'))?.output).toEqual([{ id: 'i', text: 'before' }]);
    store.put(stored('a', { output: [] }));
    expect(await store.items(['i'], 'me')).toEqual(new Map());
  });
});
