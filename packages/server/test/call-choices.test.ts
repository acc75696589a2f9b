import { chatStream, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask, type Choice, call, chat, choices, formed, pathsIn, textIn, wires } from './call-choices.ts';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello') });
});

/** A gateway whose only model writes hermes and follows this rule. */
function start(rule: object = {}): Promise<TestGateway> {
  const models = { m: { toolCalling: { dialect: 'hermes' }, ...rule } };
  return gatewayForTest({ config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } } });
}

describe('what a client demands of calls, at a model that knows only text', () => {
  const reply = `Look:\n${call('a')}\n${call('b', 'list')}`;
  const expected: Readonly<Record<Choice, readonly string[]>> = {
    none: [],
    auto: ['a', 'b'],
    required: ['a', 'b'],
    named: ['a'],
    one: ['a'],
    'required-one': ['a'],
    'named-one': ['a'],
  };
  const toldOf: Readonly<Record<Choice, readonly string[]>> = {
    none: ['Go on.'],
    auto: ['several calls in one reply'],
    required: ['several calls in one reply', 'must contain a call'],
    named: ['must call the tool read'],
    one: ['at most one call'],
    'required-one': ['at most one call', 'must contain a call'],
    'named-one': ['at most one call', 'must call the tool read'],
  };

  for (const [id, wire] of sample(Object.entries(wires), 1)) {
    it.each([false, true])(
      `A-049 A-050: ${id} says ${(wire.choices ?? choices).join(', ')}, streamed: %s`,
      async (stream) => {
        const gateway = await start({ textGranularity: 'whole', callGranularity: 'whole' });
        for (const choice of wire.choices ?? choices) {
          upstream.next(chatStream(reply));
          const answer = await ask(gateway, wire, { choice, stream });
          // Some streams say a call more than once.
          expect({ choice, paths: [...new Set(pathsIn(answer))] }).toEqual({ choice, paths: expected[choice] });
          const told = JSON.stringify(upstream.requests.at(-1)?.body);
          for (const words of toldOf[choice]) expect(told, choice).toContain(words);
          expect(told.includes('# Tools')).toBe(choice !== 'none');
          expect(JSON.stringify(answer), choice).not.toContain('<tool_call>');
          expect(JSON.stringify(answer), choice).toContain('Look:');
        }
      },
    );

    it(`A-049: ${id}: calls that nobody wants stay text where the policy says so`, async () => {
      const gateway = await start({ policy: { surplus: 'text' } });
      for (const choice of ['none', 'one', 'named'] as const) {
        if (wire.choices?.includes(choice) === false) continue;
        upstream.next(chatStream(reply));
        const answer = await ask(gateway, wire, { choice });
        expect(pathsIn(answer)).toEqual(expected[choice]);
        expect(JSON.stringify(answer)).toContain('<tool_call>');
      }
    });
  }
});

describe('the tool that a client names is the only one whose calls fire', () => {
  const other = call('b', 'list');
  const plain = JSON.stringify({ name: 'list', arguments: { path: 'b' } });
  const undeclared = call('b', 'find');
  const nudge = { max: 1 };

  for (const [id, wire] of sample(Object.entries(wires), 1)) {
    it.each([
      ['another one', false, other],
      ['another one', true, other],
      ['another one as plain JSON', false, plain],
      ['another one as plain JSON', true, plain],
      ['an undeclared one', false, undeclared],
      ['an undeclared one', true, undeclared],
    ])(
      `A-049: ${id}: %s does not run and is told, and the right one is asked for, streamed: %s`,
      async (_, stream, reply) => {
        const gateway = await start({ nudge, callGranularity: 'whole' });
        upstream.next(chatStream(reply), chatStream(call('a')));
        const answer = await ask(gateway, wire, { choice: 'named', stream });
        expect([...new Set(pathsIn(answer))]).toEqual(['a']);
        expect(upstream.requests).toHaveLength(2);
        expect(JSON.stringify(upstream.requests[1]?.body)).toContain('Call the tool \\"read\\"');
        const { warnings } = await gateway.record((record) => record.warnings !== undefined);
        expect(warnings).toMatchObject({ 'call-nudged': 1 });
        expect(Object.keys(warnings ?? {})).toContain(reply === undeclared ? 'call-undeclared' : 'call-surplus');
      },
    );
  }

  it.each([
    ['another one', other],
    ['an undeclared one', undeclared],
  ])('%s that is left out is no reply either: the right one is asked for', async (_, reply) => {
    const gateway = await start({ nudge, policy: { undeclared: 'drop' } });
    upstream.next(chatStream(reply), chatStream(call('a')));
    const answer = await ask(gateway, chat, { choice: 'named' });
    expect(pathsIn(answer)).toEqual(['a']);
    expect(JSON.stringify(answer)).not.toContain('<tool_call>');
  });

  it('a call of another one may hold any JSON and is one piece of text', async () => {
    const gateway = await start({ toolCalling: { dialect: 'anthropic-xml' }, policy: { surplus: 'text' } });
    const inside = JSON.stringify({ name: 'read', arguments: { path: 'a' } });
    const text = `<function_calls>\n<invoke name="list">\n<parameter name="path">\n${inside}\n</parameter>\n</invoke>\n</function_calls>`;
    upstream.next(chatStream(text));
    const answer = await ask(gateway, chat, { choice: 'named' });
    expect(answer).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: expect.stringContaining(inside) } }],
    });
  });
});

describe('where any call is required, one of an undeclared tool', () => {
  const undeclared = call('b', 'find');

  it('is passed on, as it is elsewhere', async () => {
    const gateway = await start();
    upstream.next(chatStream(undeclared));
    expect(pathsIn(await ask(gateway, chat, { choice: 'required' }))).toEqual(['b']);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is text where the model is asked again', async () => {
    const gateway = await start({ nudge: { max: 1 } });
    upstream.next(chatStream(undeclared), chatStream(call('a')));
    expect(pathsIn(await ask(gateway, chat, { choice: 'required' }))).toEqual(['a']);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe.each(sample(Object.entries(wires), 1))('%s asks for a call and for an answer of a form at once', (_, wire) => {
  const answer = '{"n": 3}';
  const given = '{"path": "a"}';

  for (const toolCalling of [{ dialect: 'hermes' }, 'native'] as const) {
    it.each([false, true])(
      `A-049 A-051: the call comes first, of ${JSON.stringify(toolCalling)}, streamed: %s`,
      async (stream) => {
        const gateway = await start({ toolCalling, nudge: { max: 1 }, callGranularity: 'whole' });
        for (const choice of ['required', 'named', 'required-one', 'named-one'] as const) {
          if (wire.choices?.includes(choice) === false) continue;
          const options = { choice, stream };
          upstream.next(chatStream(call('a')));
          const called = await ask(gateway, formed(wire), options);
          expect({ choice, paths: [...new Set(pathsIn(called))], text: textIn(called) }).toEqual({
            ...{ choice, paths: ['a'], text: '' },
          });
          const before = upstream.requests.length;
          upstream.next(chatStream(`So: ${answer}`), chatStream(call('a')));
          const answered = await ask(gateway, formed(wire), options);
          expect({ paths: [...new Set(pathsIn(answered))], text: textIn(answered) }).toEqual({
            paths: ['a'],
            text: answer,
          });
          expect(upstream.requests.length - before).toBe(2);
        }
      },
    );
  }

  it.each([false, true])('arguments alone are the call of the tool that is named, streamed: %s', async (stream) => {
    const gateway = await start({ nudge: { max: 1 }, callGranularity: 'whole' });
    upstream.next(chatStream(given));
    const called = await ask(gateway, formed(wire), { choice: 'named', stream });
    expect({ paths: [...new Set(pathsIn(called))], text: textIn(called) }).toEqual({ paths: ['a'], text: '' });
    expect(upstream.requests).toHaveLength(1);
  });
});
