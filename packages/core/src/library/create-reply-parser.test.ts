import { violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { hermes } from '../dialects/hermes/index.ts';
import { DragomanError } from '../errors.ts';
import { runStage } from '../stream/stage.ts';
import { conversationOf } from './conversation-of.ts';
import { createParserStream, createReplyParser, parseStream } from './create-reply-parser.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const options = { dialect: hermes, tools };
const reply =
  'Both. 🦉\n<tool_call>{"name":"read","arguments":{"path":"a.md"}}</tool_call>\n<tool_call>{"name":"read","arguments":{"path":"🦉"}}</tool_call>';

async function eventsOf(pieces: AsyncIterable<string> | Iterable<string>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of parseStream(pieces, options)) events.push(event);
  return events;
}

/** What does not differ from one reading to the next. */
function contentOf(events: readonly ChatEvent[]) {
  const { text, calls, warnings, finishReason } = collect(events);
  return { text, warnings, finishReason, calls: calls.map(({ name, arguments: json }) => ({ name, json })) };
}

const whole = contentOf(runStage(createReplyParser(options), [reply]));

describe('createReplyParser', () => {
  it('runs calls in reasoning where the policy says so, and no other call came', () => {
    const inThoughts = '<think>I read.\n<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call></think>';
    const found = (policy: object, text = inThoughts) =>
      contentOf(runStage(createReplyParser({ ...options, policy, conversation: conversationOf() }), [text])).calls;
    expect(found({ reasoning: 'fire' })).toEqual([{ name: 'read', json: '{"path":"a"}' }]);
    expect(found({ reasoning: 'fire' }, inThoughts + reply)).toEqual(whole.calls);
    expect(found({ reasoning: 'candidate' })).toEqual([]);
    expect(found({})).toEqual([]);
  });

  it("carries the model's own ids of calls in a conversation", () => {
    const text = '<tool_call>{"id":"a:1","name":"read","arguments":{"path":"a"}}</tool_call>';
    const idIn = (more: object) =>
      collect(runStage(createReplyParser({ ...options, ...more }), [text])).calls[0]?.callId;
    expect(idIn({})).toMatch(/^call_[0-9a-f]{24}$/);
    expect(idIn({ conversation: conversationOf() })).toMatch(/^call_[0-9a-f]{8}_a_3a1$/);
  });

  it.each([undefined, new Error('cut')])('what comes after the end is no part of the reply (%s)', (cut) => {
    const events: ChatEvent[] = [];
    const parser = createReplyParser(options)((event) => events.push(event));
    parser.push('Hi.');
    parser.end(cut && new DragomanError('upstream-cut', cut.message));
    const ended = [...events];
    parser.push(reply);
    parser.end();
    expect(events).toEqual(ended);
    expect(violationsOf(events)).toEqual([]);
  });
});

describe('parseStream', () => {
  it('says of any cuts what the whole text says, in events that keep the grammar', async () => {
    expect(whole.calls).toEqual([
      { name: 'read', json: '{"path":"a.md"}' },
      { name: 'read', json: '{"path":"🦉"}' },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
        const events = await eventsOf(piecesOf(reply, sizes));
        expect(violationsOf(events)).toEqual([]);
        expect(contentOf(events)).toEqual(whole);
      }),
    );
  });

  it('lets an event out before the next piece is asked for', async () => {
    const asked: string[] = [];
    async function* pieces() {
      for (const piece of ['One ', 'two']) {
        asked.push(piece);
        yield piece;
      }
    }
    const before: string[][] = [];
    for await (const event of parseStream(pieces(), options))
      if (event.type === 'text-delta') before.push([event.text, ...asked]);
    expect(before).toEqual([
      ['One ', 'One '],
      ['two', 'One ', 'two'],
    ]);
  });

  it('ends with the error of a text that failed, after all that was held back', async () => {
    const broken = new Error('gone');
    async function* pieces() {
      yield 'Look: <tool_';
      throw broken;
    }
    const events = await eventsOf(pieces());
    expect(violationsOf(events)).toEqual([]);
    expect(collect(events)).toMatchObject({ text: 'Look: <tool_', complete: false });
    const last = events.at(-1);
    expect(last?.type === 'error' && last.error.code).toBe('upstream-cut');
    expect(last?.type === 'error' && last.error.cause).toBe(broken);
  });

  it('stops the text when nobody reads on', async () => {
    let stopped = false;
    async function* pieces() {
      try {
        for (;;) yield 'more ';
      } finally {
        stopped = true;
      }
    }
    for await (const event of parseStream(pieces(), options)) if (event.type === 'text-delta') break;
    expect(stopped).toBe(true);
  });
});

describe('createParserStream', () => {
  it('says what the whole text says', async () => {
    const text = new ReadableStream<string>({
      start(controller) {
        for (const character of reply) controller.enqueue(character);
        controller.close();
      },
    });
    const events: ChatEvent[] = [];
    await text.pipeThrough(createParserStream(options)).pipeTo(
      new WritableStream({
        write: (event) => void events.push(event),
      }),
    );
    expect(violationsOf(events)).toEqual([]);
    expect(contentOf(events)).toEqual(whole);
  });
});

function* piecesOf(text: string, sizes: readonly number[]): Generator<string> {
  let at = 0;
  for (let turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield text.slice(at, at + size);
    at += size;
  }
}
