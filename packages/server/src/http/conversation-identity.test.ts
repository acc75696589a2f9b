import { expect, it } from 'vitest';
import { conversationIdentity } from './conversation-identity.ts';

it.each([
  ['a header of ours', { 'x-conversation-id': 'a', session_id: 'b' }, { conversation: 'c' }, 'a'],
  ['the session of an agent', { session_id: 'b' }, { conversation: 'c' }, 'b'],
  ['a conversation by its id', {}, { conversation: 'c', user: 'u' }, 'c'],
  ['a conversation as an object', {}, { conversation: { id: 'd' }, user: 'u' }, 'd'],
  ['metadata', {}, { metadata: { user_id: 'e', session_id: 's' } }, 's'],
  ['a key of the prompt cache', {}, { prompt_cache_key: 'k', user: 'u' }, 'k'],
  ['a user', {}, { user: 'u' }, 'u'],
])('a conversation is named by %s', (_, headers, body, name) => {
  expect(conversationIdentity(headers, body)).toBe(name);
});

const unnamed: readonly unknown[] = [
  undefined,
  null,
  'text',
  { user: '', metadata: 7 },
  { user: 7, conversation: ['x'] },
  { user: 'x'.repeat(513) },
];

it.each(unnamed.map((body) => [body]))('nothing is taken for a name in %j', (body) => {
  expect(conversationIdentity({ 'x-conversation-id': ['a', 'b'] }, body)).toBeUndefined();
});
