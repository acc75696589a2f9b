import { z } from 'zod';
import { authSchema, corsSchema, keysSchema, listenSchema, nonceSecretSchema } from './access-schema.ts';
import { clientWiresSchema } from './client-wires-schema.ts';
import { completeUpstream } from './complete-upstream.ts';
import { dialectSchema } from './dialect-schema.ts';
import { limitsSchema } from './limits-schema.ts';
import { logSchema } from './log-schema.ts';
import { promptsSchema } from './prompts-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { retentionSchema, storeSchema } from './storage-schema.ts';
import { timeoutsSchema } from './timeouts-schema.ts';
import { createUpstreamSchema, type KnownNames } from './upstream-schema.ts';

export type { KnownNames } from './upstream-schema.ts';

const schemas = new WeakMap<KnownNames, ReturnType<typeof createConfigSchema>>();

/** The schema of the configuration file: types, validation, editor help and documentation come from here. Made once for the same names. */
export function configSchema(known: KnownNames): ReturnType<typeof createConfigSchema> {
  let schema = schemas.get(known);
  if (schema === undefined) {
    schema = createConfigSchema(known);
    schemas.set(known, schema);
  }
  return schema;
}

function createConfigSchema(known: KnownNames) {
  return z.strictObject({
    $schema: z.string().exactOptional().describe('For editors.'),
    listen: listenSchema.prefault({}),
    keys: keysSchema,
    nonceSecret: nonceSecretSchema,
    auth: authSchema.prefault({}),
    cors: corsSchema.prefault({}),
    clientWires: clientWiresSchema.prefault({}),
    upstreams: z
      .record(
        z
          .string()
          .min(1)
          .regex(/^[^/]+$/),
        z.preprocess(completeUpstream, createUpstreamSchema(known)).meta({ type: ['object', 'string'], required: [] }),
      )
      .default({})
      .describe(
        'Places that requests are sent to, by name. An address alone is one: `"local": "http://127.0.0.1:8080/v1"`.',
      ),
    dialects: z
      .record(z.string().regex(/^[^/\s]+$/), dialectSchema)
      .default({})
      .describe('Dialects of your own, by the name that model rules call them.'),
    models: z.record(z.string().min(1), z.string().min(1)).default({}).describe('Aliases: a name to `upstream/model`.'),
    defaultModel: z.string().min(1).exactOptional().describe('For requests without a model.'),
    findUpstreams: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether the model servers of this machine, and the vendors whose keys are in the environment, are upstreams; see docs/discovery.md. Default: where `upstreams` has none.',
      ),
    demo: z
      .boolean()
      .default(true)
      .describe('Whether the built-in demo model is there; it is listed where there is no other upstream.'),
    toolCalling: z
      .boolean()
      .default(true)
      .describe(
        'For the whole gateway. False: tools are stripped from every request. How a model calls them is the `toolCalling` of its rule.',
      ),
    allowedTools: z.array(z.string().min(1)).exactOptional().describe('Only these tools reach a model. Default: all.'),
    systemInjection: z
      .boolean()
      .default(true)
      .describe('False: system text passes through, whatever `systemText` says.'),
    prompts: promptsSchema
      .exactOptional()
      .describe(
        'Templates by which all that is said in a turn becomes one text, for upstreams that keep the conversation and for models whose rule says so; see docs/prompts.md. `{}`: the built-in ones. Left out: none.',
      ),
    limits: limitsSchema.prefault({}),
    store: storeSchema,
    retention: retentionSchema.prefault({}),
    records: recordsSchema.prefault({}),
    timeouts: timeoutsSchema.prefault({}),
    log: logSchema.prefault({}),
  });
}

/** A configuration in which every field has its value. Secrets still read `env:NAME`. */
export type Config = z.output<ReturnType<typeof createConfigSchema>>;

/** One upstream of it. */
export type UpstreamConfig = Config['upstreams'][string];
