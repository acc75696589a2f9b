import { sized } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { MemoryCallIdStore } from '../stores/memory-call-id-store.ts';
import { type CallIdFormName, callIdForms } from '../wires/shared-quirks.ts';
import { createCallIdForm } from './call-id-forms.ts';
import { CallIds, wireIdsIn } from './call-ids.ts';
import { expressCalls } from './express-calls.ts';
import { repairHistory } from './repair-history.ts';

const asIs = (name: string) => name;

function expressed(messages: readonly Message[], form: CallIdFormName, upstream = 'up', store = emptyStore()) {
  return expressCalls(messages, {
    form: createCallIdForm(form),
    ownIdOf: wireIdsIn(upstream, store),
    nameOf: asIs,
  });
}

const emptyStore = () => new MemoryCallIdStore({ maxSize: 100_000 }).of('');

/** A round: calls by id and tool, and the results of all. */
const round = (...calls: (readonly [callId: string, name: string])[]): Message[] => [
  {
    role: 'assistant',
    content: calls.map(([callId, name]) => ({ type: 'tool-call', callId, name, arguments: '{}' })),
  },
  ...calls.map(([callId]): Message => ({ role: 'tool', callId, content: [{ type: 'text', text: 'r' }] })),
];

const callsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])) : [],
  );
const idsOf = (messages: readonly Message[]) => callsOf(messages).map(({ callId }) => callId);
const resultIdsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));

/** Ids as the upstreams of each form issue them, and ids that none of them does. */
const issued: Record<CallIdFormName, readonly string[]> = {
  'as-they-are': ['terminal 0', 'terminal 1', 'x'.repeat(200)],
  short: ['chatcmpl-tool-0123456789abcdef0123456789abcdef', 'hist_tool_5b1f', 'call.9'],
  forty: ['call_Ab12Cd34Ef56Gh78Ij90Kl12', 'call_9', 'fc_1'],
  nine: ['a1B2c3D4e', '123456789', 'ABCDEFGHI'],
  anthropic: ['toolu_01A09q90qw90lq917835lq9', 'toolu_02', 'toolu-3'],
  kimi: ['functions.read:0', 'functions.read:1', 'functions.read:2'],
  number: ['0', '1', '2'],
};

describe('calls as an upstream takes them', () => {
  it.each(callIdForms.flatMap((from) => callIdForms.map((to) => [from, to] as const)))(
    'E-067 E-060 a conversation that began with ids of %s goes on with %s, and back',
    (from, to) => {
      const store = emptyStore();
      const claims = new CallIds({ request: { messages: [] }, randomHex: digits(), upstream: from, store });
      const seen = issued[from].map((id) => claims.claim('read', id));
      expect(seen.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
      const history = seen.flatMap((id) => round([id, 'read']));
      // The upstream that issued them gets them back.
      expect(idsOf(expressed(history, from, from, store))).toEqual(issued[from]);
      // The next one gets ids that it takes, each on one call, each on its result; the same in the next turn.
      const moved = expressed(history, to, to, store);
      const ids = idsOf(moved);
      const form = createCallIdForm(to);
      expect(ids.filter((id) => !form.fits(id, 'read'))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(resultIdsOf(moved)).toEqual(ids);
      const longer = expressed([...history, ...round(['toolu_later', 'read'])], to, to, store);
      expect(idsOf(longer).slice(0, ids.length)).toEqual(ids);
    },
  );

  it('E-074 are the very same messages where nothing changes', () => {
    const history = [...round(['call_1', 'read'], ['call_2', 'list']), ...round(['call_3', 'read'])];
    for (const form of ['as-they-are', 'short', 'forty', 'anthropic'] as const)
      expect(expressed(history, form)).toBe(history);
    const nine = expressed([...round(['a1B2c3D4e', 'read']), ...history], 'nine');
    expect(nine[0]).toMatchObject({ content: [{ callId: 'a1B2c3D4e' }] });
  });

  it('E-065 E-013 shows the upstream its own id in each turn', () => {
    const claims = (messages: readonly Message[]) =>
      new CallIds({ request: { messages }, randomHex: digits(), upstream: 'up' });
    for (const own of ['terminal:0', 'call_0']) {
      const first = claims([]).claim('terminal', own);
      const one = round([first, 'terminal']);
      const second = claims(one).claim('terminal', own);
      expect(second).not.toBe(first);
      const both = expressed([...one, ...round([second, 'terminal'])], 'short');
      expect([idsOf(both), resultIdsOf(both)]).toEqual([
        [own, own],
        [own, own],
      ]);
      // Another upstream never issued it: its calls stay apart.
      expect(new Set(idsOf(expressed([...one, ...round([second, 'terminal'])], 'short', 'other'))).size).toBe(2);
    }
  });

  it('E-066 never gives two calls of one turn the same id', () => {
    const claims = new CallIds({ request: { messages: [] }, randomHex: digits(), upstream: 'up' });
    const history = round([claims.claim('read', 'x:0'), 'read'], [claims.claim('read', 'x:0'), 'read']);
    const sent = expressed(history, 'short');
    expect(idsOf(sent)[0]).toBe('x:0');
    expect(new Set(idsOf(sent)).size).toBe(2);
    expect(resultIdsOf(sent)).toEqual(idsOf(sent));
  });

  it('E-061 counts over the conversation for Kimi, and leads back exactly', () => {
    const claims = new CallIds({ request: { messages: [] }, randomHex: digits(), upstream: 'kimi' });
    const own = claims.claim('read', 'functions.read:2');
    const history = [
      ...round(['toolu_1', 'list'], ['toolu_2', 'read']),
      ...round([own, 'read']),
      ...round(['call_x', 'list']),
    ];
    expect(idsOf(expressed(history, 'kimi', 'kimi'))).toEqual([
      'functions.list:0',
      'functions.read:1',
      'functions.read:2',
      'functions.list:3',
    ]);
  });

  it('E-012 an id that the store has forgotten still stands on call and result', () => {
    const claims = new CallIds({ request: { messages: [] }, randomHex: digits(), upstream: 'up', store: emptyStore() });
    const id = claims.claim('read', 'x'.repeat(300));
    const sent = expressed(round([id, 'read']), 'short');
    expect([idsOf(sent), resultIdsOf(sent)]).toEqual([[id], [id]]);
  });

  it('writes a huge round of equal and of empty ids in linear time', () => {
    const count = sized(20_000);
    for (const id of ['', 'same id']) {
      const history = round(...Array.from({ length: count }, () => [id, 'read'] as const));
      for (const form of callIdForms) {
        const sent = expressed(history, form);
        expect(new Set(idsOf(sent)).size).toBe(count);
        expect(resultIdsOf(sent)).toEqual(idsOf(sent));
      }
    }
  });

  it('E-064 E-070 E-074 any history and any form: ids unique and in form, results after their calls (property)', () => {
    const id = fc.oneof(
      fc.constantFrom(...Object.values(issued).flat(), '', 'a', 'b'),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    const name = fc.constantFrom('read', 'list', 'a.b/c d');
    const message = fc.oneof(
      fc.array(fc.tuple(id, name), { maxLength: 4 }).map((calls) => round(...calls)),
      fc.array(fc.tuple(id, name), { maxLength: 4 }).map((calls) => round(...calls).reverse()),
      id.map((callId): Message[] => [{ role: 'tool', callId, content: [{ type: 'text', text: 'r' }] }]),
      fc.constant<Message[]>([{ role: 'user', content: [{ type: 'text', text: 'Go' }] }]),
    );
    const rules = { results: defaultModelRule.results, mergeRoles: false };
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.constantFrom(...callIdForms), (groups, form) => {
        const history = groups.flat();
        const before = JSON.stringify(history);
        let ordered: readonly Message[];
        try {
          ordered = repairHistory(history, rules).messages;
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'invalid-tool-results' });
          return;
        }
        const sent = expressed(ordered, form);
        expect(JSON.stringify(history)).toBe(before);
        expect(expressed(ordered, form)).toEqual(sent);
        const ids = idsOf(sent);
        expect(new Set(ids).size).toBe(ids.length);
        const takes = createCallIdForm(form);
        expect(callsOf(sent).filter((call) => !takes.fits(call.callId, call.name))).toEqual([]);
        let waiting: readonly string[] = [];
        for (const one of sent) {
          if (one.role === 'tool') {
            expect(waiting).toContain(one.callId);
            waiting = waiting.filter((each) => each !== one.callId);
          } else {
            expect(waiting).toEqual([]);
            waiting = idsOf([one]);
          }
        }
        expect(waiting).toEqual([]);
      }),
    );
  });
});

/** Hexadecimal digits that count. */
function digits(): (length: number) => string {
  let count = 0;
  return (length) => {
    count += 1;
    return count.toString(16).padStart(length, '0').slice(-length);
  };
}
