import { z } from 'zod';
import { deadlineWords, milliseconds } from './schema-values.ts';

const nearby = 'for upstreams on this machine or in your own network (`docs/operations.md`)';

const deadlines = {
  connect: milliseconds
    .exactOptional()
    .describe(`${deadlineWords.connect} Default: 60000; 600000 with the quirk \`noStream\`; none ${nearby}.`),
  firstToken: milliseconds
    .exactOptional()
    .describe(`${deadlineWords.firstToken} Default: 120000; 600000 with the quirk \`noStream\`; none ${nearby}.`),
  idle: milliseconds.exactOptional().describe(`${deadlineWords.idle} Default: 120000; none ${nearby}.`),
  total: milliseconds.default(3_600_000).describe(deadlineWords.total),
};

/** How long is waited for what. */
export const timeoutsSchema = z
  .strictObject({
    ...deadlines,
    turn: milliseconds
      .default(120_000)
      .describe(
        'Until a request gets its turn in a conversation of a platform: where they go one after another (`parallel`), and where the platform is busy with another one.',
      ),
    keepAlive: milliseconds
      .optional()
      .describe(
        'Silence before a keep-alive. Default: 15000 within a reply; before it begins as long as the client waits, so that an error still gets its status. A number holds for both, for a proxy that cuts silent connections.',
      ),
    drain: milliseconds
      .default(30_000)
      .describe('For running replies when the gateway is told to stop; what takes longer is broken off.'),
  })
  .describe('Milliseconds; 0 switches one off.');
