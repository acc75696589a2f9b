import { z } from 'zod';
import { logFormats, logLevels } from './environment.ts';

/** What is logged, and where. */
export const logSchema = z
  .strictObject({
    level: z
      .enum(logLevels)
      .default('info')
      .describe('The least that is logged. Requests are `info`, refused ones `warn`, failed ones `error`.'),
    format: z.enum(logFormats).default('auto').describe('`auto`: pretty on a terminal.'),
    toolIntent: z
      .boolean()
      .default(true)
      .describe('Notes requests that sound like tools but declare none. It changes nothing else.'),
    file: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        'A file for the log, as JSON lines. Its folder is made where it is missing. At 10 MB it is put aside as `.1`, and five are kept so. Default: standard error.',
      ),
  })
  .describe('What is logged.');
