import { expect, it } from 'vitest';
import type { Issue } from '../chat/issue.ts';
import { tellDropped, untoldFailure } from './tell-dropped.ts';

it('tells each loss once, however often the history repeats it', () => {
  const issues: Issue[] = [{ code: 'part-dropped', message: 'a' }];
  for (const message of ['a', 'b', 'a']) tellDropped(issues, message);
  expect(issues).toEqual([
    { code: 'part-dropped', message: 'a' },
    { code: 'field-dropped', message: 'a' },
    { code: 'field-dropped', message: 'b' },
  ]);
});

it('names the wire that cannot tell a failure', () => {
  expect(untoldFailure('ollama-chat')).toContain('ollama-chat');
});
