import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../chat/request.ts';
import { type JsonObject, readObject } from '../read-values.ts';
import type { Quirks } from '../wire.ts';
import { openaiChatQuirks } from './quirks.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const body = {
  model: 'alias',
  messages: [
    { role: 'system', content: 'be brief' },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:x', detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"n":1.0}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'file text' },
    { role: 'assistant', content: 'done', refusal: 'x' },
    { role: 'user', content: 'go on' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'read', description: 'd', parameters: { type: 'object', properties: {} }, strict: true },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'read' } },
  parallel_tool_calls: false,
  temperature: 0.5,
  top_p: 0.9,
  max_tokens: 100,
  stop: ['x'],
  seed: 7,
  presence_penalty: 0.1,
  frequency_penalty: 0.2,
  reasoning_effort: 'low',
  response_format: { type: 'json_object' },
  user: 'u',
};

const write = (request: ChatRequest, quirks: Quirks = {}) => writeRequest(request, 'real', quirks);

const fieldsOf = (written: unknown): JsonObject => readObject(written, 'body');

describe('writeRequest', () => {
  it('E-013 E-015 A-193 writes back what was read, with ids, for another model and as a stream', () => {
    const written = write(readRequest(body));
    expect(written).toEqual({
      path: '/chat/completions',
      body: { ...body, model: 'real', stream: true, stream_options: { include_usage: true } },
      warnings: [],
    });
  });

  it('writes nothing that was not sent', () => {
    const request = readRequest({ model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] });
    expect(write(request).body).toEqual({
      model: 'real',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('reads back what it wrote', () => {
    const request = readRequest(body);
    expect(readRequest(write(request).body)).toEqual({ ...request, model: 'real', stream: true, includeUsage: true });
  });

  it('reports what the wire cannot say', () => {
    const request = readRequest({
      model: 'm',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url', image_url: 'data:x' }] },
      ],
    });
    const written = write({ ...request, extra: { 'anthropic-messages': { metadata: {} } } });
    expect(written.warnings.map((warning) => warning.code)).toEqual(['field-dropped', 'part-dropped']);
    expect(written.body).toMatchObject({ messages: [{}, { role: 'tool', content: '[image left out]' }] });
  });

  it.each<[keyof typeof openaiChatQuirks, Quirks[string], (written: JsonObject) => unknown, unknown]>([
    ['noStreamOptions', true, (written) => 'stream_options' in written, false],
    ['noStream', true, (written) => [written.stream, 'stream_options' in written], [false, false]],
    [
      'maxTokensField',
      'max_completion_tokens',
      (written) => [written.max_completion_tokens, 'max_tokens' in written],
      [100, false],
    ],
    ['noParallelToolCalls', true, (written) => 'parallel_tool_calls' in written, false],
    ['noStrict', true, (written) => JSON.stringify(written.tools).includes('strict'), false],
    ['noReasoningEffort', true, (written) => 'reasoning_effort' in written, false],
    ['noReasoningHistory', true, (written) => JSON.stringify(written.messages).includes('reasoning'), false],
    ['replayReasoning', true, (written) => JSON.stringify(written.messages).includes('"reasoning_content":" "'), true],
    ['reasoningField', 'reasoning', (written) => JSON.stringify(written.messages).includes('"reasoning":"'), true],
    ['emptyStringContent', true, (written) => JSON.stringify(written.messages).includes('"content":""'), true],
  ])('keeps the quirk %s', (quirk, value, look, expected) => {
    expect(openaiChatQuirks[quirk]).not.toBe('');
    const written = write(readRequest(body), { [quirk]: value }).body;
    expect(look(fieldsOf(written))).toEqual(expected);
    expect(look(fieldsOf(write(readRequest(body)).body))).not.toEqual(expected);
  });

  it('tells a budget for reasoning as the effort that comes near it', () => {
    const budget = readRequest({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      reasoning: { max_tokens: 4096 },
    });
    const written = write(budget);
    expect(written.body).toMatchObject({ reasoning_effort: 'medium' });
    expect(written.warnings).toMatchObject([{ code: 'field-dropped' }]);
  });
});
