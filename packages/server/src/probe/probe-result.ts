import { z } from 'zod';

const count = z.int().nonnegative();

/** What came of asking one task once. */
export const probeResult = z.object({
  /** The run that it belongs to: when that began, as a date of ISO 8601. */
  run: z.string(),
  mode: z.string(),
  task: z.string(),
  /** Of all that the result hangs on: see `versionOf`. */
  version: z.string(),
  ok: z.boolean(),
  why: z.string().optional(),
  /** What the model wrote where that was wrong, cut to `longestWritten`. */
  written: z.string().optional(),
  /** The server answered with an error. */
  refused: z.literal(true).optional(),
  /** Milliseconds. */
  firstToken: z.number().nonnegative().optional(),
  inputTokens: count,
  outputTokens: count,
});

export type ProbeResult = z.infer<typeof probeResult>;

/** UTF-16 units of a wrong reply that are kept. */
export const longestWritten = 4000;
