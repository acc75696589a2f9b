import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { EngineSetup } from '../plan/setup.ts';
import { createUsageCount } from './count-usage.ts';

const request = chatRequest({
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'read', arguments: '{"p":1}' }] },
    { role: 'tool', callId: 'c', content: [{ type: 'text', text: 'found' }] },
  ],
  tools: [{ name: 'read', inputSchema: true }],
  includeUsage: true,
});

function counting(countTokens: EngineSetup['countTokens'], endsEarly = false) {
  const told: (ChatEvent | string)[] = [];
  const { promise, resolve } = later();
  const stage = createUsageCount({
    request,
    countTokens,
    of: { upstream: {}, model: 'm' },
    endsEarly: () => endsEarly,
    waiting: () => told.push('waiting'),
    settled: (thrown) => {
      told.push(thrown === undefined ? 'settled' : `threw ${String(thrown)}`);
      resolve();
    },
  })((event) => told.push(event));
  const types = () => told.map((each) => (typeof each === 'string' ? each : each.type));
  return { stage, told, types, settled: promise };
}

function reply(stage: { push(event: ChatEvent): void; end(): void }, usage: boolean): void {
  const writer = new EventWriter((event) => stage.push(event));
  writer.start('id', 'm');
  writer.reasoning('hm');
  writer.text('fine');
  writer.callStart('c', 'read');
  writer.callDelta('{"p":1}');
  writer.callEnd();
  if (usage) writer.usage({ inputTokens: 1, outputTokens: 2, source: 'upstream' });
  writer.end('tool-calls');
  stage.end();
}

/** All that the model reads of it. */
const tools = ['{"name":"read","inputSchema":true}'];
const messages = ['Be kind.', 'Look', 'read', '{"p":1}', 'found'];

const lengthOf = async (texts: readonly string[]) => texts.join('').length;

describe('counted usage', () => {
  it('A-241 A-242 counts everything that went in and came out, and the terminal event waits', async () => {
    const counted: (readonly string[])[] = [];
    const { stage, told, types, settled } = counting(async (texts) => {
      counted.push(texts);
      return lengthOf(texts);
    });
    reply(stage, false);
    expect(types().at(-1)).toBe('waiting');
    await settled;
    expect(types().slice(-4)).toEqual(['waiting', 'usage', 'message-end', 'settled']);
    expect(counted).toEqual([tools, messages, ['hmfineread{"p":1}']]);
    expect(told.find((each) => typeof each !== 'string' && each.type === 'usage')).toEqual({
      type: 'usage',
      usage: { inputTokens: [...tools, ...messages].join('').length, outputTokens: 17, source: 'counted' },
    });
  });

  it('A-241 prefers what the upstream reported, and waits for nothing then', () => {
    const { stage, types } = counting(async () => Number.NaN);
    reply(stage, true);
    expect(types().slice(-2)).toEqual(['usage', 'message-end']);
    expect(types()).not.toContain('waiting');
  });

  it.each([
    ['counts the reply where it ended before its upstream did', true, { outputTokens: 4, source: 'counted' }],
    ['takes them where the upstream has ended', false, { outputTokens: 1, source: 'upstream' }],
  ])('A-241 tokens told before the reply: %s', async (_what, endsEarly, said) => {
    const { stage, told, types, settled } = counting(lengthOf, endsEarly);
    const writer = new EventWriter((event) => stage.push(event));
    writer.start('id', 'm');
    writer.usage({ inputTokens: 30, outputTokens: 1, cachedInputTokens: 20, source: 'upstream' });
    writer.text('fine');
    writer.end('stop');
    if (endsEarly) await settled;
    const usages = told.flatMap((each) => (typeof each !== 'string' && each.type === 'usage' ? [each.usage] : []));
    expect(usages.at(-1)).toEqual({ inputTokens: 30, cachedInputTokens: 20, ...said });
    expect(types().includes('waiting')).toBe(endsEarly);
  });

  it('A-241 counts the prompt while a stream runs, and not again for a model that tells usage', async () => {
    const of = { upstream: {}, model: 'm' };
    const counted: (readonly string[])[] = [];
    const countTokens = async (texts: readonly string[]) => counted.push(texts);
    const start = () => {
      const told: ChatEvent[] = [];
      const { promise: settled, resolve } = later();
      const stage = createUsageCount({
        request: { ...request, stream: true },
        of,
        countTokens,
        endsEarly: () => false,
        waiting: () => {},
        settled: resolve,
      })((event) => told.push(event));
      return { stage, told, settled };
    };
    const first = start();
    first.stage.push({ type: 'message-start', id: 'id', model: 'm' });
    expect(counted).toEqual([tools, messages]);
    first.stage.push({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2, source: 'upstream' } });
    first.stage.push({ type: 'message-end', finishReason: 'stop' });
    const second = start();
    second.stage.push({ type: 'message-start', id: 'id', model: 'm' });
    second.stage.push({ type: 'message-end', finishReason: 'stop' });
    await second.settled;
    expect(counted).toEqual([tools, messages, ['']]);
    const units = `[${tools}]`.length + messages.join('').length - 'read'.length;
    const inputTokens = Math.ceil(units / 3.5);
    expect(second.told).toContainEqual({ type: 'usage', usage: { inputTokens, outputTokens: 3, source: 'counted' } });
    const third = start();
    third.stage.push({ type: 'message-start', id: 'id', model: 'm' });
    expect(counted).toHaveLength(4);
  });

  it('leaves the tools of a model that tells usage as they are', async () => {
    let written = 0;
    const toJSON = () => {
      written += 1;
      return {};
    };
    const of = { upstream: {}, model: 'm' };
    const tools = [{ name: 'read', inputSchema: { toJSON } }];
    const hooks = { endsEarly: () => false, waiting: () => {}, settled: () => {}, countTokens: async () => 1 };
    const writtenBy = () => {
      written = 0;
      const options = { request: { ...request, stream: true, tools }, of, ...hooks };
      const stage = createUsageCount(options)(() => {});
      stage.push({ type: 'message-start', id: 'id', model: 'm' });
      stage.push({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2, source: 'upstream' } });
      stage.push({ type: 'message-end', finishReason: 'stop' });
      return written;
    };
    expect([writtenBy(), writtenBy(), writtenBy()]).toEqual([1, 0, 0]);
  });

  it('ends without usage when counting fails', async () => {
    const { stage, types, settled } = counting(() => Promise.reject(new Error('no words')));
    reply(stage, false);
    await settled;
    expect(types().slice(-3)).toEqual(['waiting', 'message-end', 'settled']);
  });

  it('says when the terminal event could not be taken', async () => {
    let thrown: unknown;
    const { promise, resolve } = later();
    const stage = createUsageCount({
      request,
      countTokens: async () => 1,
      of: { upstream: {}, model: 'm' },
      endsEarly: () => false,
      waiting: () => {},
      settled: (reason) => {
        thrown = reason;
        resolve();
      },
    })((event) => {
      if (event.type === 'message-end') throw new Error('full');
    });
    stage.push({ type: 'message-end', finishReason: 'stop' });
    await promise;
    expect(String(thrown)).toBe('Error: full');
  });
});

/** `Promise.withResolvers` for Node 20. */
function later(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
