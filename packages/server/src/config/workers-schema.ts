import { z } from 'zod';
import { milliseconds, secret } from './schema-values.ts';

/** What is said of workers that dial in, for an upstream that is not called. */
export const workersSchema = z
  .strictObject({
    token: secret
      .exactOptional()
      .describe(
        'What a worker has to show: the value itself, or `env:NAME`. Where clients need keys, it has to be there.',
      ),
    speak: z
      .enum(['requests', 'commands'])
      .default('requests')
      .describe(
        '`requests`: workers get HTTP requests to make, for any wire; `commands`: for the wire `conversation`, the path of each request is the name of a command, and its body the params.',
      ),
    concurrency: z
      .int()
      .min(1)
      .max(1000)
      .default(64)
      .describe('The most commands that a worker gets at once; each says for itself how many it takes.'),
    queue: z
      .strictObject({
        limit: z
          .int()
          .min(0)
          .max(10_000)
          .default(100)
          .describe('The most requests that wait; more are refused with 503.'),
        wait: milliseconds
          .max(600_000)
          .default(10_000)
          .describe(
            'How long a request waits for a worker, in milliseconds; then it is refused with 503. 0: not at all.',
          ),
      })
      .describe('Requests that no worker can take at once.')
      .prefault({}),
    relay: z
      .strictObject({
        concurrency: z
          .int()
          .min(1)
          .max(1000)
          .default(1)
          .describe('How many commands such a worker gets at once; it cannot say it itself.'),
      })
      .exactOptional()
      .describe('Takes workers and senders of a plain relay, too, with `commands`; see docs/workers.md.'),
  })
  .describe('Instead of `baseUrl`: workers dial in and answer, at `/workers/<name>`; see docs/workers.md.');
