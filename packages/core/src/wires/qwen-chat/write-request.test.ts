import { chatRequest } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import type { ChatRequest } from '../../chat/request.ts';
import { createQwenChatUpstream, type QwenChatSettings } from './index.ts';

const moment = { now: () => 1_767_225_600_123, newId: () => 'f1' };

function written(request: Partial<ChatRequest>, settings: Partial<QwenChatSettings> = {}, place = {}) {
  const wire = createQwenChatUpstream(settings, moment);
  const { path, body, warnings } = wire.writeRequest(chatRequest(request), 'qwen-max', {}, place);
  return { path, body: JSON.parse(JSON.stringify(body)), told: warnings.map(({ message }) => message) };
}

const featuresOf = (request: Partial<ChatRequest>, settings?: Partial<QwenChatSettings>) =>
  written(request, settings).body.messages[0].feature_config;

it('B-150: a chat is begun, and its first message has no parent', () => {
  const create = createQwenChatUpstream({}, moment).conversation?.create ?? expect.fail();
  expect(create.write('qwen-max')).toEqual({
    path: '/api/v2/chats/new',
    body: {
      title: 'New Chat',
      models: ['qwen-max'],
      chat_mode: 'guest',
      chat_type: 't2t',
      timestamp: 1_767_225_600_123,
    },
    warnings: [],
  });
  expect(create.read({ success: true, request_id: 'q', data: { id: 'c1' } })).toBe('c1');
  const { body } = written({}, {}, { id: 'c1' });
  expect(body.parent_id).toBeNull();
  expect(body.messages).toMatchObject([{ parentId: null, parent_id: null }]);
});

it('B-151: a later message names its parent in all three places, and holds one text', () => {
  const content = [{ type: 'text' as const, text: 'and then?' }];
  const { path, body } = written({ messages: [{ role: 'user', content }] }, {}, { id: 'c/1', parent: 'p1' });
  expect(path).toBe('/api/v2/chat/completions?chat_id=c%2F1');
  expect(body).toEqual({
    stream: true,
    incremental_output: true,
    chat_id: 'c/1',
    chat_mode: 'guest',
    model: 'qwen-max',
    parent_id: 'p1',
    timestamp: 1_767_225_600,
    messages: [
      {
        fid: 'f1',
        parentId: 'p1',
        parent_id: 'p1',
        childrenIds: [],
        role: 'user',
        content: 'and then?',
        user_action: 'chat',
        files: [],
        timestamp: 1_767_225_600,
        models: ['qwen-max'],
        chat_type: 't2t',
        sub_chat_type: 't2t',
        feature_config: { thinking_enabled: false, output_schema: 'phase' },
        extra: { meta: { subChatType: 't2t' } },
      },
    ],
  });
});

it('system text is part of the text, never a role', () => {
  const text = (said: string) => [{ type: 'text' as const, text: said }];
  const { body } = written({
    messages: [
      { role: 'system', content: text('be brief') },
      { role: 'user', content: text('hi') },
    ],
  });
  expect(body.messages).toMatchObject([{ role: 'user', content: 'be brief\n\nhi' }]);
});

it('an effort switches thinking on or off, a budget is told, and what is configured counts where nothing was asked', () => {
  expect(featuresOf({})).toMatchObject({ thinking_enabled: false });
  expect(featuresOf({ reasoningEffort: 'low' })).toMatchObject({ thinking_enabled: true });
  expect(written({ reasoningEffort: 'low' }).told).toEqual([
    expect.stringContaining('"low" only switches thinking on'),
  ]);
  expect(featuresOf({ reasoningBudget: 2000 })).toMatchObject({ thinking_enabled: true, thinking_budget: 2000 });
  expect(written({ reasoningBudget: 2000 }).told).toEqual([]);
  const thinks = { features: { thinking_enabled: true, auto_search: false } };
  expect(featuresOf({}, thinks)).toEqual({ thinking_enabled: true, output_schema: 'phase', auto_search: false });
  expect(featuresOf({ reasoningEffort: 'none' }, thinks)).toMatchObject({
    thinking_enabled: false,
    auto_search: false,
  });
});

it('modes and types are as configured', () => {
  const { body } = written({}, { chatMode: 'normal', chatType: 'search' });
  expect(body).toMatchObject({
    chat_mode: 'normal',
    messages: [{ chat_type: 'search', sub_chat_type: 'search', extra: { meta: { subChatType: 'search' } } }],
  });
});

it('what cannot be said is told', () => {
  const tools = [{ name: 'a', inputSchema: {} }];
  const { told } = written({ tools, sampling: { temperature: 0, stop: ['x'] }, outputFormat: { type: 'json' } });
  expect(told).toEqual([
    'Sampling (temperature, stop) was left out: qwen-chat has no field for it. Nothing needs to be done.',
    'The list of tools was left out: qwen-chat has no field for it. Let a dialect write it: "toolCalling": "auto" in the model rule.',
    'The form of the answer was left out: qwen-chat has no field for it. If the model needs it, write it into a message.',
  ]);
});
