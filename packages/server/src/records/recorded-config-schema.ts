import { z } from 'zod';

const anything = z.unknown().optional();

/** Templates are in files, so a recorded rule names none. */
const rule = z.looseObject({ prompts: z.undefined().optional() });

/** A response template, or the file that holds it, has become a table. */
const dialect = z.strictObject({ table: z.looseObject({}).optional() });

const upstream = z.strictObject({
  wire: anything,
  baseUrl: anything,
  quirks: anything,
  timeouts: anything,
  discovery: z.strictObject({ enabled: z.literal(false) }).optional(),
  conversation: anything,
  qwenChat: anything,
  models: z.record(z.string(), rule).optional(),
  anyModel: rule.optional(),
});

/**
 * All that `recordedConfig` writes. What leads out of a configuration, such as files, secrets and stores, has no place in
 * it: a recording may come from anybody. Whether the values can be used, `loadConfig` says.
 */
export const recordedConfigSchema = z.strictObject({
  clientWires: anything,
  toolCalling: anything,
  systemInjection: anything,
  allowedTools: anything,
  timeouts: anything,
  limits: z.strictObject({ tools: anything, replyBytes: anything }).optional(),
  demo: anything,
  dialects: z.record(z.string(), dialect).optional(),
  models: anything,
  defaultModel: anything,
  upstreams: z.record(z.string(), upstream).optional(),
});
