import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';

function complaints(upstream: object, config: object = {}, env: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify({ upstreams: { u: upstream }, ...config });
  try {
    loadConfig({ env, file: { name: 'f.json', text } });
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return '';
}

const chat = { wire: 'openai-chat' };
const conversation = { send: { path: '/say', body: { words: '{{text}}' } }, reply: { text: 'said' } };
const commands = { wire: 'conversation', workers: { speak: 'commands' } };

describe('an upstream', () => {
  it('has an address or workers, and not both', () => {
    expect(complaints({ ...chat, baseUrl: 'http://h' })).toBe('');
    expect(complaints({ ...chat, workers: {} })).toBe('');
    expect(complaints(chat)).toContain('upstreams.u.baseUrl: is missing');
    expect(complaints({ ...chat, baseUrl: 'http://h', workers: {} })).toContain('leave one of them out');
  });

  it('with workers has no key of its own', () => {
    expect(complaints({ ...chat, workers: {}, apiKey: 'k' })).toContain('upstreams.u.apiKey: the key of a server');
  });

  it('is told when a setting of its workers is wrong', () => {
    const found = complaints({ ...chat, workers: { concurrency: 0, queue: { wait: -1 }, tokn: 'x' } });
    for (const words of ['workers.concurrency', 'workers.queue.wait', 'did you mean "token"']) {
      expect(found).toContain(words);
    }
  });
});

describe('workers that take commands', () => {
  it('belong to the wire "conversation", described or not', () => {
    expect(complaints(commands)).toBe('');
    expect(complaints({ ...commands, conversation })).toBe('');
    expect(complaints({ ...chat, workers: { speak: 'commands' } })).toContain('belong to the wire "conversation"');
    expect(complaints({ wire: 'conversation', workers: {} })).toContain('needs "conversation"');
  });

  it('have names that a path can be', () => {
    const send = { path: '/chats/{{conversation}}', body: { words: '{{text}}' } };
    const found = complaints({ ...commands, conversation: { ...conversation, send } });
    expect(found).toContain('upstreams.u.conversation.send.path: names a command of the workers');
  });

  it('are what a relay needs', () => {
    expect(complaints({ wire: 'conversation', workers: { speak: 'commands', relay: {} } })).toBe('');
    expect(complaints({ ...chat, workers: { relay: {} } })).toContain('set "speak": "commands"');
  });
});

describe('A-234 the token of workers', () => {
  it('has to be there where clients need a key, wherever the key comes from', () => {
    const keys = [{ name: 'me', key: 'secret-of-mine' }];
    const open = { ...chat, workers: {} };
    expect(complaints(open, { keys })).toContain('upstreams.u.workers: needs a "token"');
    expect(complaints(open, {}, { OAI_API_KEY: 'k' })).toContain('needs a "token"');
    expect(complaints({ ...chat, workers: { token: 't' } }, { keys })).toBe('');
    expect(complaints(open, { keys, auth: { mode: 'off' } })).toBe('');
  });

  it('may be in the environment, and is never shown', () => {
    const named = { ...chat, workers: { token: 'env:WORKER_TOKEN' } };
    expect(complaints(named)).toContain('the environment variable WORKER_TOKEN is not set');
    expect(complaints(named, {}, { WORKER_TOKEN: 't' })).toBe('');
    expect(complaints({ ...chat, workers: { token: ['secret-in-a-list'] } })).not.toContain('secret-in-a-list');
  });
});
