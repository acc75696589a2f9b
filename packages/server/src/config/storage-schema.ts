import { z } from 'zod';
import { secret } from './schema-values.ts';

/** Where is kept what outlives a request. */
export const storeSchema = z
  .union([
    z.literal('memory'),
    z.string().regex(/^sqlite:./, 'must be "memory", "sqlite:" and a file, or { "postgres": "env:NAME" }'),
    z.strictObject({ postgres: secret }),
  ])
  .default('memory')
  .describe(
    'Where stored responses, ids of calls and places in conversations are kept: in `memory`, which ends with the process; in the SQLite file that `sqlite:PATH` names; or in a PostgreSQL database by its address, such as `env:DATABASE_URL`. See docs/storage.md.',
  );

/** How long it is kept. */
export const retentionSchema = z
  .strictObject({
    days: z.number().min(0).default(30).describe('Days since something was last used. 0: for ever.'),
    bytes: z
      .int()
      .min(0)
      .default(1024 * 1024 * 1024)
      .describe(
        'About the most that responses take, and ids of calls, and places in conversations, each; what was not used for longest is forgotten. 0: any size.',
      ),
  })
  .describe(
    'How long and how much is kept. `days` and `bytes` are for a `store` other than memory, which `limits` bounds.',
  );
