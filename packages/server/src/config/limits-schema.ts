import { z } from 'zod';

/** Bounds of a request, its reply, and of what is kept in memory. */
export const limitsSchema = z
  .strictObject({
    bodyBytes: z
      .int()
      .min(1)
      .default(10 * 1024 * 1024)
      .describe('The largest request body.'),
    tools: z.int().min(1).default(128).describe('The most tools in a request.'),
    replyBytes: z
      .int()
      .min(1)
      .default(64 * 1024 * 1024)
      .describe('The longest reply, as it comes from the upstream.'),
    backgroundResponses: z
      .int()
      .min(0)
      .default(16)
      .describe(
        'The most responses that run in the background at once. 0: none. Where there are several keys, one of them runs no more than it leaves free for the others.',
      ),
    responseBytes: z
      .int()
      .min(0)
      .default(64 * 1024 * 1024)
      .describe(
        'About the most memory for stored responses; what was not used for longest is forgotten. With a database as `store`: for those that are not written yet. The events of those that run in the background may take as much again. 0: none.',
      ),
  })
  .describe('Bounds of a request and its reply.');
