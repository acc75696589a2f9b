import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { type GuardLimits, guardLimits, guardLoop } from './guard-loop.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: {} } }];
const ask: Message = { role: 'user', content: [{ type: 'text', text: 'Go' }] };
const off: GuardLimits = { rounds: 0, note: 0, stop: 0 };

function rounds(count: number, resultOf: (at: number) => string = () => 'alpha'): Message[] {
  return Array.from({ length: count }, (_, at): Message[] => [
    { role: 'assistant', content: [{ type: 'tool-call', callId: `c${at}`, name: 'read', arguments: '{}' }] },
    { role: 'tool', callId: `c${at}`, content: [{ type: 'text', text: resultOf(at) }] },
  ]).flat();
}

const guarded = (messages: readonly Message[], limits: Partial<GuardLimits>, readsText = true) => {
  const request = chatRequest({ messages, tools, toolChoice: 'required' });
  return { asked: request, ...guardLoop(request, { limits: { ...off, ...limits }, readsText }) };
};

const notesOf = (messages: readonly Message[]) =>
  messages.flatMap((message, at) => (message.role === 'tool' && message.note !== undefined ? [at] : []));

describe('what holds where nothing is configured', () => {
  const text = { readsText: true, keepsConversation: false };
  it.each([
    [{ readsText: false, keepsConversation: false }, off],
    [text, { ...off, note: 3 }],
    [
      { readsText: true, keepsConversation: true },
      { rounds: 20, note: 3, stop: 6 },
    ],
  ])('A-227: of a model with %o', (model, limits) => {
    expect(guardLimits({}, model)).toEqual(limits);
  });

  it('what is configured counts, also a 0', () => {
    expect(guardLimits({ rounds: 5, repeats: false }, text)).toEqual({ rounds: 5, note: 0, stop: 0 });
  });
});

describe('a request in a loop', () => {
  it('is the very same one while there is nothing to say', () => {
    const messages = [ask, ...rounds(4)];
    for (const limits of [off, { rounds: 5, note: 5, stop: 5 }]) {
      const { request, asked, loop, warnings } = guarded(messages, limits);
      expect(request).toBe(asked);
      expect(loop.decision).toBe('go on');
      expect(warnings).toEqual([]);
    }
  });

  it('is told of repetition after the results, and of the same ones in every later request', () => {
    const { request, loop, warnings } = guarded([ask, ...rounds(4)], { note: 3 });
    expect(loop).toMatchObject({ rounds: 4, repeats: 4, decision: 'note' });
    expect(notesOf(request.messages)).toEqual([6, 8]);
    expect(request.messages[6]).toMatchObject({
      content: [{ type: 'text', text: 'alpha' }],
      note: expect.stringContaining('3 times in a row'),
    });
    expect(warnings).toMatchObject([{ code: 'loop-noted' }]);
    const later = guarded([...rounds(4), ask], { note: 3 });
    expect(later.loop.decision).toBe('go on');
    expect(later.warnings).toEqual([]);
    expect(notesOf(later.request.messages)).toEqual([5, 7]);
  });

  it('is ended when the model goes on repeating itself', () => {
    const { request, loop, notice, warnings } = guarded([ask, ...rounds(6)], { note: 3, stop: 6 });
    expect(loop.decision).toBe('stop');
    expect(request.messages.at(-1)).toMatchObject({ note: expect.stringContaining('No tool can be called any more') });
    expect(notice).toContain('6 times in a row');
    expect(warnings).toMatchObject([{ code: 'loop-stopped' }]);
  });

  it('A-227: is ended after so many rounds, whatever they did, and not one sooner', () => {
    const different = (count: number) => [ask, ...rounds(count, String)];
    expect(guarded(different(19), { rounds: 20 }).loop.decision).toBe('go on');
    const { notice, loop } = guarded(different(20), { rounds: 20 });
    expect(loop).toMatchObject({ rounds: 20, repeats: 1, decision: 'stop' });
    expect(notice).toBe(
      '[The limit of 20 rounds of tool calls for one request is reached, so no further tool was called. Send a message to go on.]',
    );
    expect(guarded([...different(20), ask], { rounds: 20 }).loop).toMatchObject({ rounds: 0, decision: 'go on' });
  });

  it('that ends: a native model is forbidden to call, one that reads text keeps its prompt', () => {
    const choices = [true, false].map((readsText) => guarded([ask, ...rounds(2)], { rounds: 2 }, readsText).request);
    expect(choices.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none']);
    for (const request of choices) expect(request.tools).toBe(tools);
  });

  it('that can call nothing is not ended: it asks for the answer already', () => {
    const request = chatRequest({ messages: [ask, ...rounds(9)], tools: [] });
    const { loop } = guardLoop(request, { limits: { ...off, rounds: 2 }, readsText: true });
    expect(loop.decision).toBe('go on');
  });

  it('whose last calls have no results hears of the end after them', () => {
    const { request } = guarded([ask, ...rounds(2).slice(0, -1)], { rounds: 2 });
    expect(request.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ text: expect.stringContaining('No tool can be called') }],
    });
  });
});
