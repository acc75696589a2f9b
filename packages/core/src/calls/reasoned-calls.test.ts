import { chatRequest, violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { ParseContext } from '../dialects/dialect.ts';
import { dialects } from '../dialects/registry.ts';
import { DragomanError } from '../errors.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { CallIds } from '../prepare/call-ids.ts';
import { runStage, through } from '../stream/stage.ts';
import { createCallParser } from './parse-text.ts';
import { createReasonedCalls } from './reasoned-calls.ts';
import { createTextStages } from './text-stages.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const request = chatRequest({
  tools,
});

const kimi = (path: string, index = 0) =>
  `<|tool_calls_section_begin|><|tool_call_begin|>functions.read:${index}<|tool_call_argument_begin|>{"path":"${path}"}<|tool_call_end|><|tool_calls_section_end|>`;

/** A reply of an upstream through parse, with and without the fallback. */
function read(
  write: (writer: EventWriter) => void,
  { fallback = true, context = {} }: { readonly fallback?: boolean; readonly context?: Partial<ParseContext> } = {},
) {
  const dialect = dialects.get('kimi-k2');
  if (dialect === undefined) throw new Error('there is no kimi-k2');
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write(writer);
  let drawn = 0;
  const randomHex = (length: number) => {
    drawn += 1;
    return drawn.toString(16).padStart(length, '0');
  };
  const options = { dialect, context: { tools, ...context }, callIds: new CallIds({ request, randomHex }) };
  const parse = createCallParser(options);
  const events = runStage(fallback ? through(parse, createReasonedCalls(options, 'fire')) : parse, list);
  expect(violationsOf(events)).toEqual([]);
  return { events, message: collect(events) };
}

const paths = (message: { readonly calls: readonly { readonly arguments: string }[] }) =>
  message.calls.map((call) => JSON.parse(call.arguments).path);

describe('calls that a model hides in reasoning', () => {
  it.each([
    ['in the text', (writer: EventWriter) => writer.text(`<think>I read. ${kimi('a')}</think>`)],
    ['beside the text', (writer: EventWriter) => writer.reasoning(`I read. ${kimi('a')}`)],
  ])('D-010 E-019 fire when no other call came, with one id: reasoning %s', (_, think) => {
    const { events, message } = read((writer) => {
      think(writer);
      writer.end('stop');
    });
    expect(message).toMatchObject({ reasoning: `I read. ${kimi('a')}`, text: '', finishReason: 'tool-calls' });
    expect(message.calls).toEqual([
      {
        callId: expect.stringMatching(/^call_[0-9a-f]{8}_functions_2e___3a0$/),
        name: 'read',
        arguments: '{"path":"a"}',
      },
    ]);
    const starts = events.filter((event) => event.type === 'tool-call-start');
    expect(starts.map(({ callId }) => callId)).toEqual(message.calls.map(({ callId }) => callId));
    expect(message.warnings.at(-1)?.code).toBe('call-in-reasoning');
  });

  it('D-010 stay drafts when a call came outside, or when they are ignored', () => {
    const both = (writer: EventWriter) => {
      writer.reasoning(kimi('draft'));
      writer.text(kimi('real', 1));
      writer.end('stop');
    };
    expect(paths(read(both).message)).toEqual(['real']);
    const only = (writer: EventWriter) => {
      writer.reasoning(kimi('draft'));
      writer.text('Never mind.');
      writer.end('stop');
    };
    expect(read(only, { fallback: false }).message).toMatchObject({ calls: [], finishReason: 'stop' });
    expect(paths(read(only).message)).toEqual(['draft']);
  });

  it('fire in order, over several thoughts, and no more than the policy allows', () => {
    const thoughts = (writer: EventWriter) => {
      writer.text(`<think>${kimi('a')}</think>One.\n<think>${kimi('b', 1)}</think>`);
      writer.end('stop');
    };
    expect(paths(read(thoughts).message)).toEqual(['a', 'b']);
    expect(paths(read(thoughts, { context: { policy: { maxCalls: 1 } } }).message)).toEqual(['a']);
  });

  it('never fire from a reply that was cut, ran into a limit or broke off inside the call', () => {
    const ends: readonly ((writer: EventWriter) => void)[] = [
      (writer) => writer.end('length'),
      (writer) => writer.fail(new DragomanError('upstream-cut', 'gone')),
    ];
    for (const end of ends) {
      const { message } = read((writer) => {
        writer.reasoning(kimi('a'));
        end(writer);
      });
      expect(message.calls).toEqual([]);
    }
    const broken = read((writer) => {
      writer.reasoning(kimi('a').slice(0, 90));
      writer.end('stop');
    });
    expect(broken.message).toMatchObject({ calls: [], finishReason: 'stop', warnings: [] });
  });

  it('never fire for tools that were not declared', () => {
    const { message } = read(
      (writer) => {
        writer.reasoning(kimi('a'));
        writer.end('stop');
      },
      { context: { tools: [] } },
    );
    expect(message).toMatchObject({ calls: [], finishReason: 'stop' });
  });
});

describe('thinking that was never closed', () => {
  const readOf = (model: string, text: string) => {
    const dialect = dialects.get('kimi-k2');
    if (dialect === undefined) throw new Error('there is no kimi-k2');
    const list: ChatEvent[] = [];
    const writer = new EventWriter((event) => list.push(event));
    writer.start('r', 'm');
    writer.text(text);
    writer.end('stop');
    const callIds = new CallIds({ request, randomHex: (length) => '1'.padStart(length, '0') });
    const options = { rule: defaultModelRule, model, dialect, callIds, messagesSeen: () => [], over: () => {} };
    return collect(runStage(createTextStages(request, options), list));
  };
  const unclosed = `<think>I read. ${kimi('a')}${kimi('b', 1)}`;

  it.each(['kimi-k2-thinking', 'Qwen/Qwen3.5-27B', 'deepseek-ai/DeepSeek-V4'])(
    '%s: a call ends it, and that is told',
    (model) => {
      const message = readOf(model, unclosed);
      expect(paths(message)).toEqual(['a', 'b']);
      expect(message.finishReason).toBe('tool-calls');
      expect(message.warnings.map(({ code }) => code)).toContain('call-in-reasoning');
    },
  );

  it.each([
    ['another model', 'qwen3-8b', unclosed],
    ['thinking goes on after the call', 'kimi-k2-thinking', `${unclosed} No, I ask first.`],
    ['thinking that is closed', 'kimi-k2-thinking', `${unclosed}</think>`],
    ['an answer behind closed thinking', 'kimi-k2-thinking', `${unclosed}</think>No.`],
  ])('nothing runs: %s', (_, model, text) => {
    const message = readOf(model, text);
    expect(message.calls).toEqual([]);
    expect(message.finishReason).toBe('stop');
  });
});
