import type { ErrorCode } from '../errors.ts';

/** What an upstream's status alone says, where its words say no more. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'upstream-unauthorized';
  if (status === 429) return 'upstream-rate-limited';
  // 529 is Anthropic's own number for it.
  if (status === 503 || status === 529) return 'upstream-overloaded';
  // 501 says that the server cannot do it, now or later.
  if ((status >= 500 && status !== 501) || status === 408) return 'upstream-failed';
  return 'upstream-refused';
}
