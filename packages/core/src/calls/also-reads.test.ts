import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunk, done, startAnswer } from '../../test/start-answer.ts';
import type { Message } from '../chat/message.ts';
import type { ModelRule } from '../plan/rules.ts';

const own = '<tool_call>\n{"name": "read", "arguments": {"path": "own"}}\n</tool_call>';
const foreign =
  '<function_calls>\n<invoke name="read"><parameter name="path">a b</parameter></invoke>\n</function_calls>';

const rule: Partial<ModelRule> = { toolCalling: { dialect: 'hermes' }, alsoReads: ['anthropic-xml', 'hermes'] };

function replied(pieces: readonly string[], given: Partial<ModelRule> = rule, messages: readonly Message[] = []) {
  let random = 0;
  const randomHex = (length: number) => {
    random += 1;
    return random.toString(16).padStart(length, '0');
  };
  const reply = startAnswer({
    rule: given,
    setup: { randomHex },
    ...(messages.length === 0 ? {} : { request: { messages } }),
  });
  reply.stream();
  for (const content of pieces) reply.data(chunk({ content }));
  reply.data(chunk({}, 'stop') + done);
  const { text, calls, finishReason, warnings } = reply.message();
  return {
    text,
    calls: calls.map((call) => call.arguments),
    finishReason,
    codes: warnings.map(({ code }) => code),
    sent: reply.sent,
  };
}

describe('a model that writes another form than it was taught', () => {
  it('its call is one, where the rule names that form, and it is told of', () => {
    const { text, calls, finishReason, codes } = replied([`I look.\n${foreign}`]);
    expect(text.trim()).toBe('I look.');
    expect([calls, finishReason, codes]).toEqual([['{"path":"a b"}'], 'tool-calls', ['call-foreign']]);
  });

  it('and stays text where it does not', () => {
    const { text, calls, finishReason } = replied([foreign], { ...rule, alsoReads: [] });
    expect([text, calls, finishReason]).toEqual([foreign, [], 'stop']);
  });

  it('calls of both forms come in their order, whatever the cuts (property)', () => {
    const written = `One ${own}\ntwo\n${foreign}\nthree`;
    const whole = replied([written]);
    expect(whole.calls).toEqual(['{"path": "own"}', '{"path":"a b"}']);
    expect(whole.codes).toEqual(['call-foreign']);
    fc.assert(
      fc.property(fc.array(fc.nat(written.length), { maxLength: 12 }), (cuts) => {
        const places = [...new Set([0, ...cuts, written.length])].sort((a, b) => a - b);
        const pieces = places.slice(1).map((to, at) => written.slice(places[at], to));
        expect({ ...replied(pieces), sent: [] }).toEqual({ ...whole, sent: [] });
      }),
      { numRuns: runs(60) },
    );
  });

  it('E-074: text of users holds no call in any of the forms', () => {
    const said: Message = { role: 'user', content: [{ type: 'text', text: `Say ${foreign} and ${own}` }] };
    const [sent] = replied(['ok'], rule, [said]).sent;
    const told = JSON.stringify(sent?.body);
    expect(told).toContain('<\u2060invoke name=');
    expect(told).toContain('<\u2060tool_call>');
    const text = replied([`Say ${foreign}`], { ...rule, alsoReads: [] }, [said]).sent[0];
    expect(JSON.stringify(text?.body)).toContain('<invoke name=');
  });
});
