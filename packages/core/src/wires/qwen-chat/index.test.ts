import { chatRequest, violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import { createQwenChatUpstream, qwenChatUpstream } from './index.ts';

const refusal = (code: string, details: string) => ({ success: false, request_id: 'q', data: { code, details } });
const whole = (data: object) => ({
  success: true,
  data: { chat_id: 'c1', parent_id: 'p1', message_id: 'm1', ...data },
});
const answered = whole({ choices: [{ message: { role: 'assistant', content: 'all of it' } }] });
const page = '<!doctype html><html>Sign in</html>';
const rules = qwenChatUpstream.conversation ?? expect.fail();
const read = (body: unknown) => qwenChatUpstream.readMessage(body, chatRequest({ model: 'm' }));
const begun = (body: unknown) => rules.create?.read(body);

it('a whole body says what a stream would', () => {
  const events = read(answered);
  expect(violationsOf(events)).toEqual([]);
  expect(collect(events)).toMatchObject({
    id: 'm1',
    text: 'all of it',
    complete: true,
    conversation: { id: 'c1', parentId: 'p1' },
  });
});

it('a whole body without an answer is an error', () => {
  expect(() => read(refusal('Bad_Request', 'The content is too long'))).toThrow('The content is too long');
  expect(() => read(whole({ choices: [] }))).toThrow('is not a reply');
  expect(() => read([])).toThrow('is not a reply');
});

it.each([
  () => qwenChatUpstream.readError(413, '<html>Payload too large</html>'),
  () => qwenChatUpstream.readError(400, refusal('Bad_Request', 'Message too long.')),
  () => rules.create?.read(refusal('Bad_Request', 'The content is too long')),
  () => read(refusal('Bad_Request', 'Range of input length should be [1, 98304]')),
])('a message that is too long is told so, wherever the platform says it', (refused) => {
  const tooLong = expect.objectContaining({ code: 'context-too-long' });
  try {
    expect(refused()).toEqual(tooLong);
  } catch (thrown) {
    expect(thrown).toEqual(tooLong);
  }
});

it('what merely took too long is not too long', () => {
  expect(qwenChatUpstream.readError(500, refusal('Internal', 'The answer took too long')).code).toBe('upstream-failed');
});

describe('credentials that are missing or no longer valid', () => {
  const renew = expect.objectContaining({
    code: 'upstream-unauthorized',
    message: expect.stringContaining('Renew them'),
  });

  it('B-170: are told with the advice to renew them, whether a page, a refusal or a status says so', () => {
    expect(qwenChatUpstream.readUnreadable?.(200, 'text/html')).toEqual(renew);
    expect(qwenChatUpstream.readError(401, page)).toEqual(renew);
    expect(() => begun(page)).toThrow(renew);
    for (const code of ['Unauthorized', 'Token_Expired', 'FORBIDDEN']) {
      expect(() => read(refusal(code, 'the token sk-123 is wrong'))).toThrow(renew);
      expect(() => begun(refusal(code, 'the token sk-123 is wrong'))).toThrow(renew);
    }
  });

  it('are never quoted', () => {
    expect(qwenChatUpstream.readError(401, refusal('Unauthorized', 'sk-123')).message).not.toContain('sk-123');
    expect(() => read(refusal('Unauthorized', 'sk-123'))).not.toThrow('sk-123');
  });

  it('are not what other answers mean that are no JSON', () => {
    expect(qwenChatUpstream.readUnreadable?.(200, 'image/png')).toBeUndefined();
  });
});

it('a chat that is not begun is an error in the words of the platform', () => {
  expect(() => begun(refusal('RateLimited', 'slow down'))).toThrow('slow down');
  expect(() => begun({ success: true, data: {} })).toThrow('is not a new chat with an id');
  expect(qwenChatUpstream.readError(500, refusal('Internal', 'broken')).message).toContain('broken');
});

describe('a refusal', () => {
  it('may come with a good status; an answer is none, whatever it says', () => {
    expect(rules.refuses(refusal('Bad_Request', 'parent id p9 is not exist'))).toBe(true);
    expect(rules.refuses(whole({ choices: [] }))).toBe(true);
    expect(rules.refuses(whole({ choices: [{ message: { content: 'The parent id is not exist.' } }] }))).toBe(false);
  });

  it('B-159: says that chat or parent are gone by a status, or by words that may be configured', () => {
    expect(rules.isLost(200, refusal('Bad_Request', 'parent id p9 is not exist'))).toBe(true);
    expect(rules.isLost(404, page)).toBe(true);
    expect(rules.isLost(200, refusal('Bad_Request', 'busy'))).toBe(false);
    const other = createQwenChatUpstream({ lost: ['was deleted'] }).conversation ?? expect.fail();
    expect(other.isLost(200, refusal('x', 'this chat was deleted'))).toBe(true);
    expect(other.isLost(200, refusal('x', 'parent id p9 is not exist'))).toBe(false);
  });
});

it('a chat that is busy is told by its words, or by a status; it is stopped by the names of chat and reply', () => {
  expect(rules.isBusy(200, refusal('Bad_Request', 'The chat is in progress!'))).toBe(true);
  expect([409, 423, 400, 429].map((status) => rules.isBusy(status, {}))).toEqual([true, true, false, false]);
  expect(rules.stop?.({ id: 'c 1', reply: 'r1' })).toMatchObject({
    path: '/api/v2/chat/completions/stop?chat_id=c%201',
    body: { chat_id: 'c 1', response_id: 'r1' },
  });
  expect([rules.stop?.({ id: 'c1', reply: '' }), rules.stop?.({ reply: 'r1' })]).toEqual([undefined, undefined]);
});

describe('the list of models', () => {
  const modelsOf = (...data: unknown[]) => qwenChatUpstream.models?.readPage({ data })?.models;

  it('B-160: has those that are active and chat, with what is known of them', () => {
    const meta = {
      max_context_length: 131_072,
      max_generation_length: 8192,
      capabilities: { thinking: true, vision: true },
      chat_type: ['t2t', 'search'],
      modality: ['text', 'image'],
    };
    const entry = { id: 'qwen-max', name: 'Qwen Max', owned_by: 'qwen', info: { is_active: true, meta } };
    expect(
      modelsOf(
        entry,
        { ...entry, id: 'retired', info: { is_active: false, meta } },
        { ...entry, id: 'painter', info: { is_active: true, meta: { ...meta, chat_type: ['t2i'] } } },
        { ...entry, id: 'speaker', info: { is_active: true, meta: { ...meta, modality: ['audio'] } } },
        { id: 'bare' },
      ),
    ).toEqual([
      {
        id: 'qwen-max',
        displayName: 'Qwen Max',
        contextWindow: 131_072,
        maxOutput: 8192,
        images: false,
        reasoning: true,
      },
      { id: 'bare', images: false },
    ]);
  });

  it('is none where the body holds none', () => {
    expect(qwenChatUpstream.models?.readPage(page)).toBeUndefined();
    expect(qwenChatUpstream.models?.readPage({ data: null })).toBeUndefined();
  });
});
