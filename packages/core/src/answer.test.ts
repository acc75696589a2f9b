import { describe, expect, it, vi } from 'vitest';
import { chunk, done, hermes, startAnswer as start } from '../test/start-answer.ts';
import type { ParseContext } from './dialects/dialect.ts';
import { dialects } from './dialects/registry.ts';
import { DragomanError } from './errors.ts';
import { defaultModelRule } from './plan/rules.ts';

describe('answer', () => {
  it('A-175 A-176 lets text out in the read that brought it, and flushes once a read', () => {
    const run = start();
    run.stream();
    run.data(chunk({ content: 'Hel' }) + chunk({ content: 'lo' }));
    expect(run.heard.map((each) => (each === 'flush' ? each : each.type))).toEqual([
      'message-start',
      'text-start',
      'text-delta',
      'text-delta',
      'flush',
    ]);
    run.data(': a comment\n\n');
    expect(run.heard.filter((each) => each === 'flush')).toHaveLength(1);
    run.data(chunk({}, 'stop') + done);
    run.to().end();
    expect(run.message()).toMatchObject({ text: 'Hello', finishReason: 'stop', complete: true });
    expect(run.heard.at(-1)).toBe('flush');
    expect([run.told, run.timers()]).toEqual([[], 0]);
  });

  it('gives the same events whatever the cuts of the bytes', () => {
    const text = chunk({ content: 'é😀 <tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>' });
    const bytes = new TextEncoder().encode(text + chunk({}, 'stop') + done);
    const messages = [1, 2, 7, bytes.length].map((size) => {
      const run = start(hermes);
      run.stream();
      for (let at = 0; at < bytes.length; at += size) run.to().data(bytes.slice(at, at + size));
      run.to().end();
      const { content, finishReason } = run.message();
      return { content: content.map((part) => ({ ...part, callId: '' })), finishReason };
    });
    for (const message of messages) expect(message).toEqual(messages[0]);
    expect(messages[0]?.content.at(-1)).toMatchObject({ name: 'read', arguments: '{"path":"a"}' });
  });

  it('calls out of text: streamed as they are written, finish tool-calls', () => {
    const run = start(hermes);
    expect(JSON.stringify(run.sent[0]?.body)).toContain('tool_call');
    expect(run.sent[0]?.body).not.toHaveProperty('tools');
    run.stream();
    run.data(chunk({ content: 'I read.<tool_call>{"name": "read", "arguments": {"path": "a.t' }));
    expect(run.events().at(-1)).toMatchObject({ type: 'tool-call-delta', text: expect.stringContaining('a.t') });
    run.data(chunk({ content: 'xt"}}</tool_call>' }) + chunk({}, 'stop') + done);
    run.to().end();
    expect(run.message()).toMatchObject({
      text: 'I read.',
      finishReason: 'tool-calls',
      rawFinishReason: 'stop',
      calls: [{ name: 'read', arguments: '{"path": "a.txt"}' }],
    });
  });

  it('a request with a grammar of many tools is rendered in another turn; with one of few, at once', async () => {
    const asking = (count: number) => ({
      ...hermes,
      quirks: { grammarField: 'grammar' },
      setup: { maxTools: 100 },
      request: {
        tools: Array.from({ length: count }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } })),
        toolChoice: 'required' as const,
      },
    });
    const few = start(asking(3));
    expect(few.sent).toHaveLength(1);
    const many = start(asking(100));
    const unwanted = start(asking(100));
    unwanted.reply.abort();
    expect([many.sent.length, unwanted.sent.length]).toEqual([0, 0]);
    await vi.waitFor(() => expect(many.sent).toHaveLength(1));
    expect(many.sent[0]?.body).toHaveProperty('grammar', expect.stringContaining('tool_99'));
    expect(unwanted.sent).toEqual([]);
  });

  it.each(['one', 'other'])('so is one whose tools have names of their own in each conversation: %s', async (words) => {
    const tools = Array.from({ length: 100 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } }));
    const asked = start({
      rule: { ...hermes.rule, callNonce: true },
      quirks: { grammarField: 'grammar' },
      setup: { maxTools: 100, conversationDigest: (text) => (text.includes('other') ? 'bbbbbbbb' : 'aaaaaaaa') },
      request: {
        messages: [{ role: 'user', content: [{ type: 'text', text: words }] }],
        tools,
        toolChoice: 'required',
      },
    });
    expect(asked.sent).toEqual([]);
    await vi.waitFor(() => expect(asked.sent).toHaveLength(1));
    const name = `tool_99_${words === 'other' ? 'bbbbbbbb' : 'aaaaaaaa'}`;
    expect(asked.sent[0]?.body).toHaveProperty('grammar', expect.stringContaining(name));
  });

  it('what reads the calls of large tools is made before the request leaves; of small ones, while the model thinks', async () => {
    const asked = async (characters: number) => {
      const happened: string[] = [];
      const own = dialects.get('hermes') ?? expect.fail();
      const makeAhead = function* ({ policy }: ParseContext): Generator<void> {
        for (const step of ['first', 'second']) {
          yield;
          happened.push(`${policy?.undeclared}: ${step}`);
        }
      };
      start({
        rule: { ...hermes.rule, policy: { ...defaultModelRule.policy, undeclared: 'forward' } },
        setup: { dialects: new Map([['hermes', { ...own, makeAhead }]]) },
        request: {
          tools: [{ name: 'read', description: 'x'.repeat(characters), inputSchema: { type: 'object' } }],
          toolChoice: 'required',
        },
        atOnce: () => happened.push('sent'),
      });
      await vi.waitFor(() => expect(happened).toEqual(expect.arrayContaining(['sent', 'forward: second'])));
      return happened;
    };
    expect(await asked(10)).toEqual(['sent', 'forward: first', 'forward: second']);
    // A reply without a call, where one is required, is read once more for declared tools alone.
    const ahead = ['forward: first', 'forward: second', 'text: first', 'text: second'];
    expect((await asked(200_000)).slice(0, 5)).toEqual([...ahead, 'sent']);
  });

  it.each([
    ['a native model', {}],
    ['a model with a dialect', hermes],
  ])('E-054 E-050 settles native calls of %s: one is repaired, one that cannot be read becomes text', (_, options) => {
    const run = start(options);
    const native = (index: number, text: string) =>
      chunk({ tool_calls: [{ index, id: `call_${index}`, function: { name: 'READ', arguments: text } }] });
    run.stream();
    run.data(native(0, '{"path":"a",}') + native(1, '{"path" nothing}') + chunk({}, 'tool_calls') + done);
    run.to().end();
    const message = run.message();
    expect(message.calls).toEqual([{ callId: 'call_0', name: 'read', arguments: '{"path":"a"}' }]);
    expect(message).toMatchObject({ finishReason: 'tool-calls', complete: true, text: '{"path" nothing}' });
    expect(new Set(message.warnings.map(({ code }) => code))).toEqual(
      new Set(['name-repaired', 'json-repaired', 'call-cut']),
    );
  });

  it('A-159 complete calls, A-156 granularity', () => {
    const run = start({ rule: { ...hermes.rule, callDeltas: 'complete', textGranularity: 'characters' } });
    run.stream();
    run.data(chunk({ content: 'Hi <tool_call>{"name":"read","arguments":{"path":"a"' }));
    expect(run.events().map(({ type }) => type)).not.toContain('tool-call-start');
    run.data(chunk({ content: '}}</tool_call>' }) + chunk({}, 'stop') + done);
    const deltas = run.events().flatMap((event) => ('text' in event ? [event.text] : []));
    expect(deltas).toEqual(['H', 'i', ' ', '{"path":"a"}']);
  });

  it('tool calling switched off: no tool is sent, and call syntax stays text', () => {
    const run = start({ ...hermes, setup: { toolCalling: false } });
    expect(JSON.stringify(run.sent[0]?.body)).not.toContain('tool_call');
    run.stream();
    run.data(chunk({ content: '<tool_call>{"name":"read","arguments":{}}</tool_call>' }) + chunk({}, 'stop') + done);
    expect(run.message()).toMatchObject({ calls: [], finishReason: 'stop', text: expect.stringContaining('"read"') });
  });

  it('throws what the client did wrong before anything is sent', () => {
    expect(() => start({ request: { model: 'up/none' } })).toThrow(DragomanError);
    expect(() => start({ setup: { maxTools: 0 } })).toThrow('at most 0');
  });

  it('reads a whole answer, and says when it cannot be read', () => {
    const run = start(hermes);
    run.to().start(200, 'application/json');
    const content = 'x<tool_call>{"name":"read","arguments":{}}</tool_call>';
    run.data(JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }));
    run.to().end();
    expect(run.message()).toMatchObject({ text: 'x', finishReason: 'tool-calls', calls: [{ name: 'read' }] });
    const broken = start();
    broken.to().start(200, 'application/json');
    broken.data('{"choices":');
    broken.to().end();
    expect(broken.message().error?.code).toBe('upstream-unreadable');
  });

  it('counts usage when the client wants it and the upstream gave none', async () => {
    const run = start({ request: { includeUsage: true } });
    run.stream();
    run.data(chunk({ content: 'four' }, 'stop') + done);
    run.to().end();
    expect(run.events().at(-1)?.type).toBe('text-end');
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.message().usage).toMatchObject({ outputTokens: 4, source: 'counted' });
    expect([run.heard.at(-1), run.timers()]).toEqual(['flush', 0]);
  });
});
