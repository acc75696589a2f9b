import { z } from 'zod';
import { paths, publicPaths } from '../http/paths.ts';
import { completeUpstream } from './complete-upstream.ts';
import { dialectSchema } from './dialect-schema.ts';
import { logFormats, logLevels } from './environment.ts';
import { promptsSchema } from './prompts-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { deadlineWords, flag, milliseconds, optional, secret, text, whole, word } from './schema-values.ts';
import { createUpstreamSchema, type KnownNames } from './upstream-schema.ts';

/** As browsers write it: scheme and host, and a port where it is not the scheme's own. */
const origin = z
  .string()
  .regex(
    /^(\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+)$/,
    'must be an origin with its scheme and without a path, such as "https://example.org", or "*"',
  );

/** Where we listen. */
const listenSchema = z
  .strictObject({
    host: text.default('127.0.0.1').describe('The address to listen on. Other than loopback needs a key.'),
    port: z.int().min(0).max(65535).default(11434).describe('0 picks a free port.'),
    hosts: z
      .array(text)
      .exactOptional()
      .describe('Without keys: further names that requests may address us by, or `*`. Loopback names always may.'),
  })
  .describe('Where the gateway listens.');

/** The keys of clients. */
const keysSchema = z
  .array(
    z.strictObject({
      name: text.describe('What the log calls it.'),
      key: secret,
      records: word(['own', 'all'], 'own').describe(
        'Which records this key may read and delete: those of its own requests, or those of all.',
      ),
      guards: optional.flag.describe(
        'False: loops of calls in requests with this key are neither noted nor ended, whatever `guards` of a model rule says. For agents that have guards of their own.',
      ),
    }),
  )
  .default([])
  .describe('Keys that clients may use.');

/** What the words of `callNonce` are made with. */
const nonceSecretSchema = secret
  .exactOptional()
  .describe(
    'What the words of `callNonce` are made with, for several gateways or for the time after a restart. Default: drawn when the gateway starts.',
  );

/** Who may come in. */
const authSchema = z
  .strictObject({
    mode: word(['auto', 'required', 'off'], 'auto').describe(
      '`auto`: keys are asked for when there are any; `required`: no start without one; `off`: loopback only.',
    ),
    publicRoutes: z
      .array(z.enum(paths))
      .default([...publicPaths])
      .describe('Routes that need no key.'),
  })
  .describe('Who may come in.');

/** Which web pages may call. */
const corsSchema = z
  .strictObject({
    origins: z
      .array(origin)
      .exactOptional()
      .describe(
        'Origins of web pages that may call, or `*`. Default: pages on loopback, when we listen on loopback. Without keys the others are refused, with keys they cannot read the answer.',
      ),
  })
  .describe('Which web pages may call.');

/** How replies are written for clients. */
const clientWiresSchema = z
  .strictObject({
    'openai-chat': z
      .strictObject({
        beginToolCalls: flag(false).describe(
          'Streams a `beginToolCalls` delta with the id of the first call before it.',
        ),
        emptyStringContent: flag(false).describe(
          'Writes `""` instead of `null` as content of an answer that only calls tools.',
        ),
        conversationField: flag(false).describe(
          'Writes `_conversation` with the ids of an upstream that keeps the conversation into the last chunk and into whole answers.',
        ),
      })
      .describe('Chat Completions.')
      .prefault({}),
    'openai-responses': z
      .strictObject({
        strict: flag(true).describe(
          'Refuses what the API refuses, naming the place. False: reads what has one meaning.',
        ),
        done: flag(false).describe(
          'Ends streams with `data: [DONE]`. No client needs it, and VS Code 0.42 fails because of it.',
        ),
      })
      .describe('Responses, which is also OpenResponses.')
      .prefault({}),
  })
  .describe('How replies are written for clients, by wire.');

/** Bounds of a request, its reply, and of what is kept in memory. */
const limitsSchema = z
  .strictObject({
    bodyBytes: whole(1, 10 * 1024 * 1024).describe('The largest request body.'),
    tools: whole(1, 128).describe('The most tools in a request.'),
    replyBytes: whole(1, 64 * 1024 * 1024).describe('The longest reply, as it comes from the upstream.'),
    backgroundResponses: whole(0, 16).describe(
      'The most responses that run in the background at once. 0: none. Where there are several keys, one of them runs no more than it leaves free for the others.',
    ),
    responseBytes: whole(0, 64 * 1024 * 1024).describe(
      'About the most memory for stored responses; what was not used for longest is forgotten. With a database as `store`: for those that are not written yet. The events of those that run in the background may take as much again. 0: none.',
    ),
  })
  .describe('Bounds of a request and its reply.');

/** What is logged, and where. */
const logSchema = z
  .strictObject({
    level: word(logLevels, 'info').describe(
      'The least that is logged. Requests are `info`, refused ones `warn`, failed ones `error`.',
    ),
    format: word(logFormats, 'auto').describe('`auto`: pretty on a terminal.'),
    toolIntent: flag(true).describe('Notes requests that sound like tools but declare none. It changes nothing else.'),
    file: optional.text.describe(
      'A file for the log, as JSON lines. Its folder is made where it is missing. At 10 MB it is put aside as `.1`, and five are kept so. Default: standard error.',
    ),
  })
  .describe('What is logged.');

/** Where is kept what outlives a request. */
const storeSchema = z
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
const retentionSchema = z
  .strictObject({
    days: z.number().min(0).default(30).describe('Days since something was last used. 0: for ever.'),
    bytes: whole(0, 1024 * 1024 * 1024).describe(
      'About the most that responses take, and ids of calls, and places in conversations, each; what was not used for longest is forgotten. 0: any size.',
    ),
  })
  .describe(
    'How long and how much is kept. `days` and `bytes` are for a `store` other than memory, which `limits` bounds.',
  );

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
const timeoutsSchema = z
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
        text.regex(/^[^/]+$/),
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
    models: z.record(text, text).default({}).describe('Aliases: a name to `upstream/model`.'),
    defaultModel: optional.text.describe(
      'For requests without a model. Default: the first model of a server that was found; else they are refused.',
    ),
    findUpstreams: optional.flag.describe(
      'Whether the model servers of this machine, and the vendors whose keys are in the environment, are upstreams; see docs/discovery.md. Default: where `upstreams` has none.',
    ),
    demo: flag(true).describe(
      'Whether the built-in demo model is there; it is listed where there is no other upstream.',
    ),
    toolCalling: flag(true).describe(
      'For the whole gateway. False: tools are stripped from every request. How a model calls them is the `toolCalling` of its rule.',
    ),
    allowedTools: z.array(text).exactOptional().describe('Only these tools reach a model. Default: all.'),
    systemInjection: flag(true).describe('False: system text passes through, whatever `systemText` says.'),
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
