import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ToolMessage } from '../chat/message.ts';
import { DragomanError } from '../errors.ts';
import { defaultModelRule, type ResultRule } from '../plan/rules.ts';
import { repairHistory } from './repair-history.ts';

const rule = defaultModelRule.results;

const text = (text: string) => ({ type: 'text' as const, text });
const user = (words: string): Message => ({ role: 'user', content: [text(words)] });
const said = (words: string): Message => ({ role: 'assistant', content: [text(words)] });
const call = (callId: string, name = 'read') => ({ type: 'tool-call' as const, callId, name, arguments: '{}' });
const calls = (...ids: string[]): Message => ({ role: 'assistant', content: ids.map((id) => call(id)) });
const result = (callId: string, words = `of ${callId}`): ToolMessage => ({
  role: 'tool',
  callId,
  content: [text(words)],
});

function repaired(messages: readonly Message[], own: Partial<ResultRule> = {}, mergeRoles = false) {
  const { messages: written, warnings } = repairHistory(messages, { results: { ...rule, ...own }, mergeRoles });
  return { messages: written, codes: warnings.map(({ code }) => code) };
}

describe('a history for an upstream that takes calls as fields', () => {
  it('E-074 is the very same array when it is in order, in both modes', () => {
    const messages = [user('hi'), calls('a', 'b'), result('b'), result('a'), said('Done.'), user('More')];
    expect(repaired(messages).messages).toBe(messages);
    expect(repaired(messages, { mode: 'strict' }).messages).toBe(messages);
    expect(repaired(messages, { maxLength: 100 }).messages).toBe(messages);
    expect(repaired(messages, {}, true).messages).toBe(messages);
  });

  it('C-028 E-070 gives a call without a result one directly after it, which says so', () => {
    const { messages, codes } = repaired([user('hi'), calls('a', 'b'), result('a'), user('Never mind')]);
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', callId: 'a' },
      { role: 'tool', callId: 'b', content: [{ text: expect.stringContaining('cancelled') }] },
      { role: 'user', content: [{ text: 'Never mind' }] },
    ]);
    expect(codes).toEqual(['result-missing']);
  });

  it('C-028 E-072 puts a result directly after its call and the note that was between after it', () => {
    const { messages, codes } = repaired([calls('a', 'b'), user('Note'), result('b'), result('a'), said('Done.')]);
    expect(messages).toEqual([calls('a', 'b'), result('a'), result('b'), user('Note'), said('Done.')]);
    expect(codes).toEqual(['result-moved']);
    expect(repaired([result('a'), calls('a')])).toEqual({
      messages: [calls('a'), result('a')],
      codes: ['result-moved'],
    });
  });

  it.each<[ResultRule['orphans'], Message[], Message[]]>([
    ['text', [user('hi'), result('x')], [user('hi'), user('Result of an earlier call of unknown_tool:\nof x')]],
    ['drop', [user('hi'), result('x')], [user('hi')]],
    [
      'call',
      [user('hi'), { ...result('x'), name: 'list' }, result('')],
      [
        user('hi'),
        { role: 'assistant', content: [call('x', 'list'), call('call_orphan_2', 'unknown_tool')] },
        { ...result('x'), name: 'list' },
        result('call_orphan_2', 'of '),
      ],
    ],
    ['auto', [user('hi'), result('x')], [user('hi'), user('Result of an earlier call of unknown_tool:\nof x')]],
    ['auto', [calls('a'), result('a'), result('x')], [calls('a'), result('a')]],
    [
      'text',
      [calls('a'), result('a'), result('x')],
      [calls('a'), result('a'), user('Result of an earlier call of unknown_tool:\nof x')],
    ],
  ])('C-028 E-071 a result without a call, by the profile %s', (orphans, given, expected) => {
    expect(repaired(given, { orphans })).toEqual({ messages: expected, codes: ['result-orphan'] });
  });

  it('E-073 of two results for one call the last one stays', () => {
    expect(repaired([calls('a'), result('a', 'first'), result('a', 'second')])).toEqual({
      messages: [calls('a'), result('a', 'second')],
      codes: ['result-repeated', 'result-moved'],
    });
  });

  it('C-029 E-073 joins neighbours of one role only where that is asked for, and keeps their texts', () => {
    const messages = [user('one'), user('two'), said('Three.'), calls('a'), result('a'), user('four')];
    expect(repaired(messages).messages).toBe(messages);
    expect(repaired(messages, {}, true).messages).toEqual([
      user('one\n\ntwo'),
      { role: 'assistant', content: [text('Three.'), call('a')] },
      result('a'),
      user('four'),
    ]);
  });

  it('E-052 leaves a call without a name out, and its result is one without a call', () => {
    const unnamed: Message = { role: 'assistant', content: [text('Hm.'), call('a', ' ')] };
    expect(repaired([user('hi'), unnamed, result('a')], { orphans: 'drop' })).toEqual({
      messages: [user('hi'), said('Hm.')],
      codes: ['tool-dropped', 'result-orphan'],
    });
  });

  it('E-073 leaves out messages without content, but not what only a wire knows and not the only question', () => {
    const sealed: Message = { role: 'assistant', content: [], extra: { 'openai-chat': { refusal: 'No.' } } };
    const { messages, codes } = repaired([user('hi'), said(''), sealed, { role: 'user', content: [] }, user('Go')]);
    expect(messages).toEqual([user('hi'), sealed, user('Go')]);
    expect(codes).toEqual(['message-empty']);
    expect(repaired([user('')])).toEqual({ messages: [user('')], codes: [] });
  });

  it('E-075 caps long results and leaves empty and failed ones as they are', () => {
    const failed: ToolMessage = { ...result('b', ''), status: 'error' };
    const { messages, codes } = repaired([calls('a', 'b'), result('a', 'x'.repeat(50)), failed], { maxLength: 10 });
    expect(messages[1]).toMatchObject({ content: [{ text: expect.stringMatching(/^x{5}\n.*40 more.*\nx{5}$/) }] });
    expect(messages[2]).toBe(failed);
    expect(codes).toEqual(['result-capped']);
  });

  it('E-066 gives two calls with one id the two results in their order', () => {
    const messages = [calls('a', 'a'), result('a', 'first'), result('a', 'second')];
    expect(repaired(messages)).toEqual({ messages, codes: [] });
  });

  it('C-028 strict: refuses each of these with 400 invalid-tool-results', () => {
    for (const messages of [[calls('a')], [user('hi'), result('x')], [calls('a', 'b'), result('', 'whose?')]]) {
      expect(() => repaired(messages, { mode: 'strict' })).toThrow(DragomanError);
    }
    const moved = [calls('a'), user('Note'), result('a')];
    expect(repaired(moved, { mode: 'strict' }).codes).toEqual(['result-moved']);
  });

  it('E-070 E-072 E-074 any history: results right after their calls, one each; nothing changed in the input (property)', () => {
    const id = fc.constantFrom('a', 'b', 'c', '');
    const message = fc.oneof(
      fc
        .array(fc.tuple(id, fc.constantFrom('read', 'list', '')), { maxLength: 3 })
        .map((list): Message => ({ role: 'assistant', content: list.map(([callId, name]) => call(callId, name)) })),
      id.map((callId) => result(callId)),
      fc.constantFrom(user('hi'), said('Yes.'), said(''), user('')),
    );
    const profile = fc.constantFrom('auto' as const, 'text' as const, 'call' as const, 'drop' as const);
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), profile, fc.boolean(), (messages, orphans, mergeRoles) => {
        const frozen = deepFreeze(messages);
        let written: readonly Message[];
        try {
          written = repaired(frozen, { orphans }, mergeRoles).messages;
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'invalid-tool-results' });
          return;
        }
        let waiting: string[] = [];
        for (const one of written) {
          if (one.role === 'tool') {
            expect(waiting.shift()).toBe(one.callId);
            continue;
          }
          expect(waiting).toEqual([]);
          if (one.role !== 'assistant') continue;
          expect(one.content).not.toEqual([]);
          waiting = one.content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
          expect(one.content.every((part) => part.type !== 'tool-call' || part.name !== '')).toBe(true);
          // A round that came in order keeps its own order.
          const at = written.indexOf(one) + 1;
          const next = written.slice(at, at + waiting.length).map((each) => (each.role === 'tool' ? each.callId : ''));
          if ([...next].sort().join() === [...waiting].sort().join()) waiting = next;
        }
        expect(waiting).toEqual([]);
        JSON.stringify(written);
        expect(repaired(written, { orphans }, mergeRoles).messages).toEqual(written);
      }),
    );
  });
});

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
