import { expect, it } from 'vitest';
import { soundsLikeTools } from './tool-intent.ts';

const asked = (text: string) => soundsLikeTools({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] });

it.each([
  ['Please read file a.txt', true],
  ['WRITE FILE b', true],
  ['execute it', true],
  ['run command ls', true],
  ['list files here', true],
  ['search files for x', true],
  ['edit file c', true],
  ['How are you?', false],
  ['', false],
])('B-132 B-137: %s sounds like tools: %s', (text, expected) => {
  expect(asked(text)).toBe(expected);
});

it('B-132: looks only at the last user message, and at its text parts', () => {
  const image = { type: 'image', url: 'data:,' } as const;
  expect(soundsLikeTools({ messages: [] })).toBe(false);
  expect(soundsLikeTools({ messages: [{ role: 'user', content: [image] }] })).toBe(false);
  const parts = [image, { type: 'text', text: 'list files' }] as const;
  expect(soundsLikeTools({ messages: [{ role: 'user', content: parts }] })).toBe(true);
});
