import { chatRequest, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { MemoryCallIdStore } from '../stores/memory-call-id-store.ts';
import { CallIds, nativeIdsIn, wireIdsIn } from './call-ids.ts';
import { nativeIdOf, wireIdOf } from './carried-ids.ts';

const empty = chatRequest();

/** Seeded hexadecimal digits. */
function hexFrom(seed: number): (length: number) => string {
  let state = seed;
  return (length) => {
    let digits = '';
    while (digits.length < length) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      digits += (state >>> 16).toString(16).padStart(4, '0');
    }
    return digits.slice(0, length);
  };
}

const idsFor = (request: ChatRequest, seed = 1) => new CallIds({ request, randomHex: hexFrom(seed), upstream: 'up' });

const called = (name: string, callId: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', callId, name, arguments: '{}' }],
});

describe('call ids', () => {
  it('A-243 without a native id are call_ and 24 lower-case hexadecimal digits', () => {
    expect(idsFor(empty).mint('read')).toMatch(/^call_[0-9a-f]{24}$/);
  });

  it('E-061 carry the id that the model wrote, with its name cut out', () => {
    const id = idsFor(empty).mint('read', 'functions.read:7');
    expect(id).toMatch(/^call_[0-9a-f]{8}_functions_2e___3a7$/);
    expect(nativeIdOf(id, 'read')).toBe('functions.read:7');
    expect(wireIdOf(id, { name: 'read', upstream: 'up' })).toBeUndefined();
  });

  it('E-064 E-012 are at most 64 characters of [A-Za-z0-9_-] and lead back to any native id that fits', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30, unit: 'binary' }),
        fc.string({ maxLength: 70, unit: 'binary' }),
        (name, rest) => {
          for (const nativeId of [rest, `functions.${name}:${rest.length}`, `${rest}${name}${name}`]) {
            const id = idsFor(empty).mint(name, nativeId);
            expect(id).toMatch(/^call_[A-Za-z0-9_-]{1,59}$/);
            const back = nativeIdOf(id, name);
            if (back === undefined) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
            else expect(back).toBe(nativeId);
          }
        },
      ),
    );
  });

  it('E-061 carry every Kimi id of an ordinary tool name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,60}$/), fc.nat(), (name, index) => {
        const nativeId = `functions.${name}:${index}`;
        expect(nativeIdOf(idsFor(empty).mint(name, nativeId), name)).toBe(nativeId);
      }),
    );
  });

  it('carry nothing rather than a changed id when the id is too long or holds half a character', () => {
    for (const nativeId of ['x'.repeat(51), '\ud83d', 'a'.repeat(5000)]) {
      expect(idsFor(empty).mint('read', nativeId)).toMatch(/^call_[0-9a-f]{24}$/);
    }
    expect(nativeIdOf(idsFor(empty).mint('read', 'x'.repeat(50)), 'read')).toBe('x'.repeat(50));
  });

  it('of other makers carry nothing', () => {
    const foreign = [
      '',
      'call_',
      'call_abc123',
      'toolu_01',
      `call_${'a'.repeat(24)}`,
      'call_1234abcd_',
      'call_1234ABCD_x',
    ];
    for (const id of [...foreign, 'call_1234abcd_a.b', 'call_1234abcd__2', 'call_1234abcd_a_6', 'call_1234abcd__41']) {
      expect(nativeIdOf(id, 'read'), id).toBeUndefined();
    }
  });

  it('E-065 E-066 keep the id of a wire once and carry it when it repeats', () => {
    const request = chatRequest({ messages: [called('terminal', 'terminal_0')] });
    const ids = idsFor(request);
    expect(ids.claim('terminal', 'terminal_1')).toBe('terminal_1');
    const repeated = ids.claim('terminal', 'terminal_0');
    const again = ids.claim('terminal', 'terminal_1');
    expect(new Set(['terminal_0', 'terminal_1', repeated, again]).size).toBe(4);
    expect(wireIdOf(repeated, { name: 'terminal', upstream: 'up' })).toBe('terminal_0');
    expect(wireIdOf(again, { name: 'terminal', upstream: 'up' })).toBe('terminal_1');
    expect(wireIdOf(again, { name: 'terminal', upstream: 'another' })).toBeUndefined();
    expect(nativeIdOf(repeated, 'terminal')).toBeUndefined();
  });

  it('E-012 E-064 lead back to any id of a wire for the upstream that issued it, and for no other', () => {
    const wireId = fc.oneof(
      fc.constantFrom(
        'functions.read:0',
        'terminal:0',
        'a b',
        'ünï',
        '\ud83d',
        'call_x',
        'x'.repeat(64),
        'x'.repeat(200),
      ),
      fc.string({ unit: 'binary', maxLength: 90 }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(wireId, { maxLength: 12 }), (name, wireIds) => {
        const store = new MemoryCallIdStore({ maxSize: 100_000 }).of('caller');
        const ids = new CallIds({ request: empty, randomHex: hexFrom(7), upstream: 'up', store });
        const claimed = wireIds.map((id) => ids.claim(name, id));
        expect(new Set(claimed).size).toBe(wireIds.length);
        for (const [at, callId] of claimed.entries()) {
          expect(callId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          const back = wireIdsIn('up', store)({ callId, name });
          if (wireIds[at] !== '') expect(back ?? callId).toBe(wireIds[at]);
          expect(wireIdsIn('another', store)({ callId, name })).toBeUndefined();
        }
      }),
    );
  });

  it('E-012 wrap an id that another gateway of this kind made, so that it is not taken for the one inside', () => {
    const theirs = new CallIds({ request: empty, randomHex: hexFrom(3), upstream: 'up' }).claim(
      'read',
      'functions.read:0',
    );
    const ours = idsFor(empty).claim('read', theirs);
    expect(wireIdsIn('up', undefined)({ callId: ours, name: 'read' })).toBe(theirs);
  });

  it('E-012 keep a native id that is too long in the store, for its caller alone', () => {
    const stores = new MemoryCallIdStore({ maxSize: 10_000 });
    const nativeId = `functions.read:${'7'.repeat(80)}`;
    const callId = new CallIds({ request: empty, randomHex: hexFrom(1), store: stores.of('ann') }).mint(
      'read',
      nativeId,
    );
    expect(callId).toMatch(/^call_[0-9a-f]{24}$/);
    expect(nativeIdsIn(stores.of('ann'))({ callId, name: 'read' })).toBe(nativeId);
    expect(nativeIdsIn(stores.of('bob'))({ callId, name: 'read' })).toBeUndefined();
    expect(wireIdsIn('', stores.of('ann'))({ callId, name: 'read' })).toBeUndefined();
  });

  it('E-008 differ from every id of the conversation even if the random digits repeat', () => {
    const digits = ['a'.repeat(24), 'a'.repeat(24), 'b'.repeat(24)];
    const ids = new CallIds({ request: empty, randomHex: () => digits.shift() ?? 'c'.repeat(24) });
    expect([ids.mint('x'), ids.mint('x')]).toEqual([`call_${'a'.repeat(24)}`, `call_${'b'.repeat(24)}`]);
    const stuck = new CallIds({ request: empty, randomHex: (length) => '0'.repeat(length) });
    stuck.mint('x');
    expect(() => stuck.mint('x')).toThrow('randomHex');
  });

  it('A-245 never collide in a million', { timeout: 600_000 }, () => {
    const seen = new Set<string>();
    const randomHex = randomDigits();
    const turns = runs(1000);
    for (let turn = 0; turn < turns; turn += 1) {
      const ids = new CallIds({ request: empty, randomHex });
      for (let call = 0; call < 1000; call += 1) seen.add(ids.mint('read'));
    }
    expect(seen.size).toBe(1000 * turns);
  });
});

/** Real randomness, as the server uses it, in large draws. */
function randomDigits(): (length: number) => string {
  const bytes = new Uint8Array(49152);
  let digits = '';
  let at = 0;
  return (length) => {
    if (at + length > digits.length) {
      crypto.getRandomValues(bytes);
      digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      at = 0;
    }
    at += length;
    return digits.slice(at - length, at);
  };
}
