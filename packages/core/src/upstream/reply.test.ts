import { sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { chunk, done, hermes, startAnswer as start } from '../../test/start-answer.ts';
import { dialects } from '../dialects/registry.ts';
import { DragomanError } from '../errors.ts';
import type { Receiver } from '../stream/transport.ts';

describe('a reply under way', () => {
  it('A-173 an error answer is one error, with what the headers said', () => {
    const run = start();
    run.to().start(429, 'application/json', 7);
    run.data('{"error":{"message":"slow ');
    run.data('down"}}');
    run.to().end();
    expect(run.events().filter(({ type }) => type !== 'error')).toEqual([]);
    expect(run.message().error).toMatchObject({ code: 'upstream-rate-limited', upstreamStatus: 429, retryAfter: 7 });
  });

  it('reads no more than 64 KB of an error answer', () => {
    const run = start();
    run.to().start(500, 'text/html');
    run.data('x'.repeat(70_000));
    expect(run.message().error?.code).toBe('upstream-failed');
    expect(run.told).toEqual(['abort']);
  });

  it('B-094 a page instead of a reply says where to look', () => {
    const run = start();
    run.to().start(200, 'text/html');
    run.data('<html>Log in</html>');
    expect(run.message().error).toMatchObject({ code: 'upstream-unreadable' });
    expect(run.message().error?.message).toContain('key');
    expect(run.told).toEqual(['abort']);
  });

  it('A-171 an upstream that breaks off: what was read, then one error', () => {
    const run = start(hermes);
    run.stream();
    run.data(chunk({ content: 'part <tool_call>{"name":"read","arguments":{"path":"a' }));
    run.to().fail(new DragomanError('upstream-cut', 'gone'));
    run.to().end();
    const message = run.message();
    expect([message.error?.code, message.calls]).toEqual(['upstream-cut', []]);
    expect(message.text).toBe('part <tool_call>{"name":"read","arguments":{"path":"a');
    const silent = start();
    silent.stream();
    silent.data(chunk({ content: 'half' }));
    silent.to().end();
    expect(silent.message()).toMatchObject({ text: 'half', error: { code: 'upstream-cut' } });
  });

  it('a reply that is too large ends with an error and the upstream is stopped', () => {
    const run = start({ setup: { maxReplyBytes: 300 } });
    run.stream();
    run.data(chunk({ content: 'a' }));
    run.data(chunk({ content: 'b'.repeat(300) }));
    run.data(chunk({ content: 'c' }));
    expect(run.message()).toMatchObject({ text: 'a', error: { code: 'reply-too-large' } });
    expect([run.told, run.timers()]).toEqual([['abort'], 0]);
  });

  it('breaking off tells the client what was read and why it ends, and stops the upstream', () => {
    const run = start(hermes);
    run.stream();
    run.data(chunk({ content: 'part <tool_call>' }));
    run.reply.breakOff(new DragomanError('draining', 'stopping'));
    run.reply.breakOff(new DragomanError('internal', 'too late'));
    run.data(chunk({ content: 'more' }));
    expect(run.message()).toMatchObject({ text: 'part <tool_call>', error: { code: 'draining' } });
    expect([run.told, run.timers()]).toEqual([['abort'], 0]);
  });

  it('A-174 abort stops the upstream, and the sink hears nothing more', () => {
    const run = start();
    run.stream();
    run.data(chunk({ content: 'a' }));
    const before = run.heard.length;
    run.reply.abort();
    run.data(chunk({ content: 'b' }));
    run.to().end();
    run.pass(1000);
    expect([run.heard.length, run.told, run.timers()]).toEqual([before, ['abort'], 0]);
  });

  it('A-178 a slow client pauses the upstream', () => {
    const run = start({ deadlines: { idle: 300 } });
    run.stream();
    run.data(chunk({ content: 'a' }));
    run.reply.pause();
    run.pass(2000);
    run.reply.resume();
    expect(run.told).toEqual(['pause', 'resume']);
    run.pass(500);
    expect(run.message().error?.code).toBe('idle-timeout');
    expect(run.told).toEqual(['pause', 'resume', 'abort']);
  });

  it('deadlines: the upstream is stopped and the client told which', () => {
    const silent = start({ deadlines: { connect: 500 } });
    silent.pass(600);
    expect([silent.message().error?.code, silent.told]).toEqual(['connect-timeout', ['abort']]);
    const mute = start({ deadlines: { firstToken: 500 } });
    mute.stream();
    mute.data(chunk({ role: 'assistant', content: '' }));
    mute.pass(600);
    expect(mute.message().error?.code).toBe('first-token-timeout');
  });

  it('lets the upstream end by itself after a whole reply, but not forever', () => {
    const run = start();
    run.stream();
    run.data(chunk({ content: 'a' }, 'stop') + done);
    expect([run.message().complete, run.told, run.timers()]).toEqual([true, [], 1]);
    run.pass(6000);
    expect([run.told, run.timers()]).toEqual([['abort'], 0]);
  });

  it('a client that goes away while tokens are counted hears nothing more', async () => {
    const run = start({ request: { stream: false } });
    run.stream();
    run.data(chunk({ content: 'four' }, 'stop') + done);
    const before = run.heard.length;
    run.reply.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(run.heard.length).toBe(before);
  });

  it('a stage or a sink that throws becomes one error, and the upstream is stopped', () => {
    const run = start({
      onEvent: (event) => {
        if (event.type === 'text-delta') throw new Error('our own mistake');
      },
    });
    run.stream();
    run.data(chunk({ content: 'a' }));
    run.data(chunk({ content: 'b' }));
    expect(run.events().map(({ type }) => type)).toEqual([
      'message-start',
      'text-start',
      'text-delta',
      'text-end',
      'error',
    ]);
    expect([run.message().error?.code, run.told]).toEqual(['internal', ['abort']]);
  });

  it('takes answers that come, and clients that go, while the request is being sent', () => {
    const bytes = new TextEncoder().encode(chunk({ content: 'at once' }, 'stop') + done);
    const atOnce = (to: Receiver): void => {
      to.start(200, 'text/event-stream');
      to.data(bytes);
    };
    const run = start({ atOnce });
    expect([run.message().text, run.told]).toEqual(['at once', []]);
    const large = start({ atOnce, setup: { maxReplyBytes: 10 } });
    expect([large.message().error?.code, large.told]).toEqual(['reply-too-large', ['abort']]);
  });

  for (const dialect of sample([...dialects.values()], 3)) {
    it(`A-171 E-041 ${dialect.id}: cut anywhere, a call is whole or is text, and the end is one error`, () => {
      const tool = { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } };
      const calls = ['a.txt', 'b "q" <c>\nd'].map((path, ordinal) => ({
        callId: `call_${ordinal}`,
        name: 'read',
        arguments: JSON.stringify({ path }),
        ordinal,
      }));
      const written = `Both.\n${dialect.renderCalls(calls, [tool])}`;
      for (let at = 0; at <= written.length; at += 1) {
        const run = start({ rule: { toolCalling: { dialect: dialect.id } }, request: { tools: [tool] } });
        run.stream();
        run.data(chunk({ content: written.slice(0, at) }));
        run.to().fail(new DragomanError('upstream-cut', 'gone'));
        const { error, calls: found } = run.message();
        expect(error?.code).toBe('upstream-cut');
        expect(calls.map((call) => call.arguments).slice(0, found.length)).toEqual(found.map((call) => call.arguments));
      }
    });
  }
});
