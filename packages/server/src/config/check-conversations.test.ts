import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';

const good = {
  send: { path: '/say', body: { words: ['{{text}}'] } },
  reply: { text: 'text' },
};

function complaints(upstream: object): string[] {
  const text = JSON.stringify({ upstreams: { u: { baseUrl: 'http://h', ...upstream } } });
  try {
    loadConfig({ env: {}, file: { name: 'f.json', text } });
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.split('\n');
    throw thrown;
  }
  return [];
}

describe('the description of a platform', () => {
  it('belongs to the wire "conversation", and to no other', () => {
    expect(complaints({ wire: 'conversation', conversation: good })).toEqual([]);
    expect(complaints({ wire: 'conversation' }).join()).toContain('needs "conversation"');
    expect(complaints({ wire: 'openai-chat', conversation: good }).join()).toContain('this one speaks openai-chat');
  });

  it('says where requests wait for each other, and only where there are conversations', () => {
    const parallel = 'queue';
    expect(complaints({ wire: 'conversation', conversation: good, parallel })).toEqual([]);
    expect(complaints({ wire: 'qwen-chat', parallel })).toEqual([]);
    expect(complaints({ wire: 'openai-chat', parallel }).join()).toContain('those of the wire openai-chat do not');
    expect(complaints({ wire: 'conversation', conversation: good, parallel: 'wait' }).join()).toContain('parallel');
  });

  it('has a place for the text', () => {
    const silent = { ...good, send: { path: '/say', body: { words: '{{parent}}' } } };
    expect(complaints({ wire: 'conversation', conversation: silent }).join()).toContain(
      'no message would ever be sent',
    );
  });

  it.each([
    ['a placeholder that is none', { body: { t: '{{text}}', p: '{{parnt}}' } }, 'did you mean "parent"?'],
    ['a parent that no reply says', { body: { t: '{{text}}', p: '{{parent}}' } }, 'add "reply.parent"'],
    ['a conversation that nothing says', { body: { t: '{{text}}', c: '{{conversation}}' } }, 'or "reply.conversation"'],
    ['a path that the first message cannot have', { path: '/c/{{conversation}}' }, 'add "create" or "first"'],
  ])('does not name %s', (_, send, expected) => {
    const reply = expected.includes('or "first"') ? { text: 'text', conversation: 'id' } : good.reply;
    const conversation = { send: { ...good.send, ...send }, reply };
    expect(complaints({ wire: 'conversation', conversation }).join()).toContain(expected);
  });

  it('may hold braces that are no placeholders', () => {
    const send = { path: '/say', body: { t: '{{text}}', form: '{{' } };
    expect(complaints({ wire: 'conversation', conversation: { ...good, send } })).toEqual([]);
  });

  it('is begun in one way: by "create", or by a first message that holds the text, too', () => {
    const first = { path: '/begin', body: { prompt: '{{text}}' } };
    expect(complaints({ wire: 'conversation', conversation: { ...good, first } })).toEqual([]);
    const silent = { ...good, first: { path: '/begin', body: {} } };
    expect(complaints({ wire: 'conversation', conversation: silent }).join()).toContain('conversation.first.body');
    const twice = { ...good, first, create: { path: '/chats', id: 'id' } };
    expect(complaints({ wire: 'conversation', conversation: twice }).join()).toContain('leave one of them out');
  });

  it('has a field for system text in all messages, or in none', () => {
    const first = { path: '/begin', body: { prompt: '{{text}}', system: '{{system}}' } };
    expect(complaints({ wire: 'conversation', conversation: { ...good, first } }).join()).toContain('or neither');
    const send = { path: '/say', body: { words: '{{text}}', system: '{{system}}' } };
    expect(complaints({ wire: 'conversation', conversation: { ...good, first, send } })).toEqual([]);
    expect(complaints({ wire: 'conversation', conversation: { ...good, send } })).toEqual([]);
  });

  it('names fields that are wrong or missing', () => {
    const wrong = { ...good, send: { path: 'say', body: { words: '{{text}}' } }, replies: {} };
    const found = complaints({ wire: 'conversation', conversation: wrong }).join('\n');
    expect(found).toContain('must be a path');
    expect(found).toContain('replies');
  });
});
