import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../chat/request.ts';
import { writeJson } from '../../json/json-text.ts';
import type { Quirks, WritePlace } from '../wire.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const user = { role: 'user', content: 'hi' };
const chat = (fields: object = {}): ChatRequest => readRequest({ model: 'm', messages: [user], ...fields });
const written = (request: ChatRequest, quirks: Quirks = {}, place: WritePlace = {}) =>
  writeRequest(request, 'llama', quirks, place);
const body = (request: ChatRequest, quirks: Quirks = {}, place: WritePlace = {}) =>
  written(request, quirks, place).body;
/** What every request is sent with, so that nothing of it is dropped in silence. */
const nothingDropped = { truncate: false, shift: false };
const codes = (request: ChatRequest) => written(request).warnings.map((warning) => warning.code);
const read = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } };
const write = { type: 'function', function: { name: 'write', parameters: { type: 'object' } } };

describe('writeRequest', () => {
  it('writes back what it read, all of its own fields included', () => {
    const asked = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is it?', images: ['iVBORw0KGgo'] },
        {
          role: 'assistant',
          content: 'Let me look.',
          thinking: 'Hm.',
          tool_calls: [{ id: 'x', function: { name: 'read', arguments: { path: 'a' } } }],
        },
        { role: 'tool', content: 'text', tool_name: 'read', tool_call_id: 'x' },
      ],
      tools: [read],
      options: { num_ctx: 4096, top_k: 3, temperature: 0, stop: ['x'], num_predict: 5, seed: 1 },
      format: { type: 'object' },
      keep_alive: 0,
      think: false,
    };
    const request = readRequest({ model: 'm', ...asked });
    expect(written(request)).toEqual({
      path: '/api/chat',
      body: { ...asked, ...nothingDropped, model: 'llama', stream: true },
      warnings: [],
    });
    expect(JSON.stringify(request)).toBe(JSON.stringify(readRequest({ model: 'm', ...asked })));
  });

  it('holds it against no word of a call that it was said before, unless the client wants that', () => {
    const format = { type: 'json-schema', schema: { type: 'object' } } as const;
    const ofCalls = { outputFormat: { ...format, ofCalls: true } } as const;
    expect(body({ ...chat(), ...ofCalls })).toMatchObject({ options: { repeat_penalty: 1 } });
    expect(body({ ...chat({ options: { repeat_penalty: 1.2 } }), ...ofCalls })).toMatchObject({
      options: { repeat_penalty: 1.2 },
    });
    expect(body({ ...chat(), outputFormat: format })).not.toHaveProperty('options');
  });

  it('asks for a stream and leaves out what was not sent', () => {
    expect(body(chat({ stream: false }))).toEqual({
      ...nothingDropped,
      model: 'llama',
      messages: [user],
      stream: true,
    });
  });

  it('names each result’s tool, whoever had named it', () => {
    const request: ChatRequest = {
      ...chat(),
      messages: [
        { role: 'assistant', content: [{ type: 'tool-call', callId: 'x', name: 'read', arguments: '{}' }] },
        { role: 'tool', callId: 'x', content: [{ type: 'text', text: 'a' }] },
      ],
    };
    expect(body(request)).toMatchObject({ messages: [{}, { role: 'tool', tool_name: 'read', tool_call_id: 'x' }] });
  });

  it('says a choice by the list of tools, and tells what cannot be said', () => {
    expect(body(chat({ tools: [read, write], tool_choice: 'none' }))).not.toHaveProperty('tools');
    const named = chat({ tools: [read, write], tool_choice: { type: 'function', function: { name: 'write' } } });
    expect(body(named)).toMatchObject({ tools: [write] });
    expect(codes(named)).toEqual(['field-dropped']);
    expect(codes(chat({ tools: [read], tool_choice: 'required' }))).toEqual(['field-dropped']);
    expect(codes({ ...chat({ tools: [read] }), parallelToolCalls: false })).toEqual(['field-dropped']);
    expect(codes({ ...chat(), extra: { 'openai-chat': { user: 'u' } } })).toEqual(['field-dropped']);
  });

  it('thinks as the client said, else as hard as another wire asked, in the words that the model takes', () => {
    const effort = (reasoningEffort: string): ChatRequest => ({ ...chat(), reasoningEffort });
    expect(body(chat({ think: 'low' }))).toMatchObject({ think: 'low' });
    expect(body(effort('high'))).toMatchObject({ think: true });
    expect(body(effort('none'))).toMatchObject({ think: false });
    expect(body(effort('minimal'), { thinkLevels: true })).toMatchObject({ think: 'low' });
    expect(body(effort('xhigh'), { thinkLevels: true })).toMatchObject({ think: 'high' });
    expect(body(effort('medium'), { thinkLevels: true })).toMatchObject({ think: 'medium' });
    expect(body(effort('high'), { noThink: true })).not.toHaveProperty('think');
    expect(body({ ...chat(), reasoningBudget: 1024 }, { thinkLevels: true })).toMatchObject({ think: 'low' });
  });

  it('tells when a level of thinking is lost, and only then', () => {
    const effort = (reasoningEffort: string): ChatRequest => ({ ...chat(), reasoningEffort });
    const told = (request: ChatRequest, levels: boolean) =>
      writeRequest(request, 'm', levels ? { thinkLevels: true } : {}).warnings.map(({ message }) => message);
    expect(told(effort('high'), false)).toEqual([expect.stringContaining('"high" became true')]);
    expect(told(effort('max'), true)).toEqual([expect.stringContaining('"max" became "high"')]);
    expect(told(effort('high'), true)).toEqual([]);
    expect(told(effort('none'), false)).toEqual([]);
    expect(told(chat({ think: 'high' }), false)).toEqual([]);
  });

  it('lets nothing be dropped in silence, unless the client says so', () => {
    expect(body(chat())).toMatchObject(nothingDropped);
    expect(body(chat({ truncate: true, shift: true }))).toMatchObject({ truncate: true, shift: true });
  });

  it('asks for the window of the model where the request names none', () => {
    expect(body(chat())).not.toHaveProperty('options');
    expect(body(chat(), {}, { contextWindow: 32_768 })).toMatchObject({ options: { num_ctx: 32_768 } });
    expect(body(chat({ options: { num_ctx: 1024 } }), {}, { contextWindow: 32_768 })).toMatchObject({
      options: { num_ctx: 1024 },
    });
  });

  it('sends images as bytes, and of an address the address', () => {
    const image = (url: string): ChatRequest => ({
      ...chat(),
      messages: [{ role: 'user', content: [{ type: 'image', url }] }],
    });
    expect(body(image('data:image/png;base64,AAAA'))).toMatchObject({ messages: [{ content: '', images: ['AAAA'] }] });
    expect(body(image('https://example.org/a.png'))).toMatchObject({
      messages: [{ content: '[image left out: https://example.org/a.png]' }],
    });
    expect(codes(image('https://example.org/a.png'))).toEqual(['part-dropped']);
  });

  it('sends arguments of the past as they were written, and tells what is no object', () => {
    const past = (json: string): ChatRequest => ({
      ...chat(),
      messages: [{ role: 'assistant', content: [{ type: 'tool-call', callId: 'x', name: 'read', arguments: json }] }],
    });
    expect(codes(past('{"a": 9007199254740993}'))).toEqual([]);
    expect(writeJson(body(past('{"a": 9007199254740993}')))).toContain('"arguments":{"a": 9007199254740993}');
    expect(codes(past('{"a":'))).toEqual(['json-repaired']);
    const arguments_ = { arguments: '[1]' };
    expect(body(past('[1]'))).toMatchObject({ messages: [{ tool_calls: [{ function: { arguments: arguments_ } }] }] });
  });
});
