import { describe, expect, it } from 'vitest';
import { decideLineage } from '../lineage/decide-lineage.ts';
import type { ConversationPoint } from './conversation-store.ts';
import { MemoryConversationStore } from './memory-conversation-store.ts';

const point = (id: string): ConversationPoint => ({ id, conversation: `chat of ${id}`, depth: 1, told: '' });
const idsOf = (points: readonly ConversationPoint[]) => points.map(({ id }) => id);

describe('a store of conversations in memory', () => {
  it('keeps callers apart, whatever their names and keys are', () => {
    const store = new MemoryConversationStore({ maxSize: 100_000 });
    store.of('ann').put(point('a'), ['key']);
    store.of('bob').put(point('a'), ['key']);
    store.of('ann').take('a');
    expect(store.of('ann').find('key')).toMatchObject([{ continuations: 1 }]);
    expect(store.of('bob').find('key')).toMatchObject([{ continuations: 0 }]);
    expect(store.of('an').find('n key')).toEqual([]);
  });

  it('finds a point under each of its keys, and several under one, the latest last', () => {
    const store = new MemoryConversationStore({ maxSize: 100_000 }).of('');
    store.put(point('a'), ['plain', 'alias']);
    store.put(point('b'), ['plain']);
    expect(idsOf(store.find('plain'))).toEqual(['a', 'b']);
    expect(idsOf(store.find('alias'))).toEqual(['a']);
  });

  it('counts what goes out behind a point and what is given back', () => {
    const store = new MemoryConversationStore({ maxSize: 100_000 }).of('');
    store.put(point('a'), ['key']);
    store.take('a');
    store.take('a');
    store.release('a');
    expect(store.find('key')).toMatchObject([{ continuations: 1 }]);
    store.release('a');
    store.release('a');
    store.take('unknown');
    expect(store.find('key')).toMatchObject([{ continuations: 0 }]);
  });

  it('forgets what was not used for longest, and never grows beyond its bound', () => {
    const store = new MemoryConversationStore({ maxSize: 1_000 }).of('');
    for (const id of ['a', 'b', 'c']) store.put(point(id), [`key ${id}`]);
    store.take('a');
    for (const id of ['d', 'e']) store.put(point(id), [`key ${id}`]);
    const known = ['a', 'b', 'c', 'd', 'e'].filter((id) => store.find(`key ${id}`).length > 0);
    expect(known).toContain('a');
    expect(known).not.toContain('b');
    expect(known.at(-1)).toBe('e');
    store.put({ ...point('huge'), conversation: 'x'.repeat(1_000) }, ['key huge']);
    expect(store.find('key huge')).toEqual([]);
  });

  it('keeps a bounded number of conversations that began alike', () => {
    const store = new MemoryConversationStore({ maxSize: 1_000_000 }).of('');
    for (let at = 0; at < 100; at += 1) store.put(point(`p${at}`), ['key']);
    const known = idsOf(store.find('key'));
    expect(known).toHaveLength(32);
    expect(known.at(-1)).toBe('p99');
  });

  it('twenty conversations of several callers, in the same words and all at once, never mix', () => {
    const store = new MemoryConversationStore({ maxSize: 1_000_000 });
    const salt = ['up', 'm'];
    const reply = [{ type: 'text' as const, text: 'hello' }];
    const chats = Array.from({ length: 20 }, (_, at) => ({ owner: `key${at % 4}`, identity: `chat ${at}` }));
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
    for (const { owner, identity } of chats) {
      const known = store.of(owner);
      const { keysOf } = decideLineage({ messages, salt, known, identity });
      known.put({ ...point(identity), identity }, keysOf(reply));
    }
    const next = [...messages, { role: 'assistant' as const, content: reply }, ...messages];
    for (const { owner, identity } of chats) {
      const { lineage } = decideLineage({ messages: next, salt, known: store.of(owner), identity });
      expect(lineage).toMatchObject({ kind: 'continue', point: { conversation: `chat of ${identity}` } });
      if ('point' in lineage) store.of(owner).take(lineage.point.id);
    }
    const stranger = decideLineage({ messages: next, salt, known: store.of('eve') });
    expect(stranger.lineage).toEqual({ kind: 'diverged' });
  });
});
