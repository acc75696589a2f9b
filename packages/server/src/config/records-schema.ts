import { z } from 'zod';
import { optional, whole, word } from './schema-values.ts';

const retention = z
  .strictObject({
    days: z.number().min(0).default(30).describe('Days after which a record goes. 0: never.'),
    bytes: whole(0, 1024 * 1024 * 1024).describe(
      'About the most that all records take; the oldest go first. 0: any size.',
    ),
    archive: optional.text.describe(
      'A folder. What goes is first written there, as compressed JSON lines, which are deleted after 90 days. Default: it is deleted at once.',
    ),
  })
  .describe('How long and how much is kept.');

/** What is recorded of the exchanges with upstreams. */
export const recordsSchema = z
  .strictObject({
    level: word(['off', 'metadata', 'full'], 'off').describe(
      '`off`: nothing. `metadata`: who asked which model, when, how long it took, tokens, errors; no word of what was said. `full`: also prompts, replies and calls, without secrets.',
    ),
    exchangeBytes: whole(1024, 4 * 1024 * 1024).describe(
      'About the most characters of one record; what is longer is cut, and says so.',
    ),
    retention: retention.prefault({}),
  })
  .describe('Records of the exchanges with upstreams, in the configured `store`; see docs/records.md.');
