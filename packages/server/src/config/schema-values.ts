import { z } from 'zod';

/** A span of time; 0 switches off what it bounds. */
export const milliseconds = z.int().min(0);

/** What may stand in a header: printable characters on one line, the first of them no space. */
export const secret = z
  .string()
  .regex(/^[!-~\u00a0-\u00ff][ -~\u00a0-\u00ff]*$/, 'must be one line of printable characters and not blank')
  .describe('The value itself, or `env:NAME` for an environment variable.');

/** What each deadline of a reply counts. */
export const deadlineWords = {
  connect: 'Until the headers of the upstream.',
  firstToken: 'Until the first event that a client would see.',
  idle: 'Between two reads.',
  total: 'For the whole reply.',
};
