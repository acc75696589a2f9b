import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import { readRequest } from './read-request.ts';
import { readMessage } from './read-stream.ts';
import { writeMessage } from './write-stream.ts';

const request = readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
const context = { request, replyId: 'abc', created: 5 };

function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('chatcmpl-abc', 'm');
  write(writer);
  return list;
}

const onlyCall = events((writer) => {
  writer.callStart('call_1', 'read');
  writer.callDelta('{"x":1}');
  writer.callEnd();
  writer.end('tool-calls');
});

describe('writeMessage', () => {
  it('A-240 B-072 B-074 writes a whole answer with reasoning, text, calls and usage', () => {
    const list = events((writer) => {
      writer.reasoning('hm');
      writer.text('I read.');
      writer.callStart('call_1', 'read');
      writer.callEnd();
      writer.usage({ inputTokens: 10, outputTokens: 5, source: 'counted' });
      writer.end('tool-calls');
    });
    expect(writeMessage(list, context)).toEqual({
      id: 'chatcmpl-abc',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'I read.',
            refusal: null,
            reasoning_content: 'hm',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });

  it('B-070 B-071 conflict 14: content of calls alone is null, or "" when asked', () => {
    expect(writeMessage(onlyCall, context).choices[0]).toMatchObject({
      message: { content: null },
      finish_reason: 'tool_calls',
    });
    expect(writeMessage(onlyCall, context, { emptyContent: '' }).choices[0]?.message.content).toBe('');
  });

  it('B-076 an empty answer has empty content', () => {
    const empty = writeMessage(
      events((writer) => writer.end('stop')),
      context,
    );
    expect(empty.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'stop' });
    expect(empty).not.toHaveProperty('usage');
  });

  it('is read back as the same message', () => {
    const { rawFinishReason, ...read } = collect(readMessage(writeMessage(onlyCall, context), request));
    expect(read).toEqual(collect(onlyCall));
    expect(rawFinishReason).toBe('tool_calls');
  });
});
