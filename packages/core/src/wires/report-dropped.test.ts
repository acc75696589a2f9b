import { expect, it } from 'vitest';
import type { Warning } from '../chat/warning.ts';
import { imageLeftOut, reportDropped, reportNoField } from './report-dropped.ts';

it('tells each loss once, however often the history repeats it', () => {
  const warnings: Warning[] = [{ code: 'part-dropped', message: 'a' }];
  for (const message of ['a', 'b', 'a']) reportDropped(warnings, message);
  expect(warnings).toEqual([
    { code: 'part-dropped', message: 'a' },
    { code: 'field-dropped', message: 'a' },
    { code: 'field-dropped', message: 'b' },
  ]);
});

it('says what was left out, why, and what can be done', () => {
  const warnings: Warning[] = [];
  reportNoField(warnings, { wire: 'ollama-chat', what: 'The name of a user', cure: 'Write it into a message.' });
  reportNoField(warnings, { wire: 'ollama-chat', what: 'The "detail" of an image' });
  for (const role of ['user', 'tool']) imageLeftOut(warnings, role, 'openai-chat');
  expect(warnings.map(({ message }) => message)).toEqual([
    'The name of a user was left out: ollama-chat has no field for it. Write it into a message.',
    'The "detail" of an image was left out: ollama-chat has no field for it. Nothing needs to be done.',
    'An image in a user message was left out: openai-chat takes only text there. Describe it in words.',
    'An image in a tool message was left out: openai-chat takes only text there. Send it as the user.',
  ]);
});
