import { expect, it } from 'vitest';
import type { Warning } from '../chat/warning.ts';
import { reportDropped, untoldFailure } from './report-dropped.ts';

it('tells each loss once, however often the history repeats it', () => {
  const warnings: Warning[] = [{ code: 'part-dropped', message: 'a' }];
  for (const message of ['a', 'b', 'a']) reportDropped(warnings, message);
  expect(warnings).toEqual([
    { code: 'part-dropped', message: 'a' },
    { code: 'field-dropped', message: 'a' },
    { code: 'field-dropped', message: 'b' },
  ]);
});

it('names the wire that cannot tell a failure', () => {
  expect(untoldFailure('ollama-chat')).toContain('ollama-chat');
});
