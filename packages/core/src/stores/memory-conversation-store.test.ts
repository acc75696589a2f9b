import { describeConversationStore, conversationPointOf as point, pointsUnder } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../conversation/decide-lineage.ts';
import { MemoryConversationStore } from './memory-conversation-store.ts';

describeConversationStore('memory', async () => new MemoryConversationStore({ maxSize: 1_000_000 }));

describe('a store of conversations in memory', () => {
  it('forgets what was not used for longest, and never grows beyond its bound', async () => {
    const store = new MemoryConversationStore({ maxSize: 1_000 }).of('');
    for (const id of ['a', 'b', 'c']) store.put(point(id), [`key ${id}`]);
    await store.take('a');
    for (const id of ['d', 'e']) store.put(point(id), [`key ${id}`]);
    const known: string[] = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) known.push(...(await pointsUnder(store, `key ${id}`)));
    expect(known).toContain('a');
    expect(known).not.toContain('b');
    expect(known.at(-1)).toBe('e');
    store.put({ ...point('huge'), conversation: 'x'.repeat(1_000) }, ['key huge']);
    expect(await pointsUnder(store, 'key huge')).toEqual([]);
  });

  it('B-155: forgets what was idle for too long, keeps what is used, and makes room by what was idle for longest', async () => {
    const minute = 60_000;
    let now = 0;
    const stores = new MemoryConversationStore({
      maxSize: 1_000_000,
      maxCount: 3,
      maxIdle: 30 * minute,
      now: () => now,
    });
    const store = stores.of('ann');
    const known = async () => {
      const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => pointsUnder(store, `key ${id}`)));
      return found.flat();
    };
    for (const id of ['a', 'b']) store.put(point(id), [`key ${id}`]);
    now = 20 * minute;
    await store.take('a');
    now = 31 * minute;
    expect(await known()).toEqual(['a', 'b']);
    stores.sweep();
    expect(await known()).toEqual(['a']);
    for (const id of ['b', 'c']) store.put(point(id), [`key ${id}`]);
    await store.take('a');
    store.put(point('d'), ['key d']);
    expect(await known()).toEqual(['a', 'c', 'd']);
  });

  it('twenty conversations of several callers, in the same words and all at once, never mix', async () => {
    const store = new MemoryConversationStore({ maxSize: 1_000_000 });
    const salt = ['up', 'm'];
    const asking = { told: '', shows: () => false };
    const reply = [{ type: 'text' as const, text: 'hello' }];
    const chats = Array.from({ length: 20 }, (_, at) => ({ owner: `key${at % 4}`, identity: `chat ${at}` }));
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
    for (const { owner, identity } of chats) {
      const { keys, exact } = readHistory(messages, { salt }).pointAfter(reply);
      store.of(owner).put({ ...point(identity), exact, identity }, keys);
    }
    const next = readHistory([...messages, { role: 'assistant' as const, content: reply }, ...messages], { salt });
    for (const { owner, identity } of chats) {
      const lineage = next.lineageIn(await store.of(owner).find(next.lookUps), { ...asking, identity });
      expect(lineage).toMatchObject({ kind: 'continue', point: { conversation: `chat of ${identity}` } });
      if ('point' in lineage) await store.of(owner).take(lineage.point.id);
    }
    const found = await store.of('eve').find(next.lookUps);
    expect(next.lineageIn(found, { ...asking, identity: undefined })).toEqual({ kind: 'diverged' });
  });
});
