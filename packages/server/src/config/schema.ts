import { z } from 'zod';
import { paths, publicPaths } from '../http/paths.ts';
import { completeUpstream } from './complete-upstream.ts';
import { dialectSchema } from './dialect-schema.ts';
import { logFormats, logLevels } from './environment.ts';
import { promptsSchema } from './prompts-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { deadlineWords, flag, milliseconds, optional, secret, text, whole, word } from './schema-values.ts';
import { upstreamSchema } from './upstream-schema.ts';

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
    host: text
      .default('127.0.0.1')
      .describe('The address to listen on. `0.0.0.0`: all. Other than loopback needs a key.'),
    port: z.int().min(0).max(65535).default(11434).describe('The port to listen on. 0 picks a free one.'),
    hosts: z
      .array(text)
      .exactOptional()
      .describe(
        'Without `keys`: further host names under which clients may call, such as `my-pc.local`, or `*`. Loopback names always may.',
      ),
  })
  .describe('Where the gateway listens.');

/** The keys of clients. */
const keysSchema = z
  .array(
    z.strictObject({
      name: text.describe('Its name in the log.'),
      key: secret,
      records: word(['own', 'all'], 'own').describe(
        'Which records this key may read and delete: those of its own requests, or those of all.',
      ),
      guards: optional.flag.describe(
        'False: `guards` of model rules do not hold for this key. For agents that end loops of calls themselves.',
      ),
    }),
  )
  .default([])
  .describe('API keys that clients may use: `[{ "name": "me", "key": "env:MY_KEY" }]`. None: no key is asked for.');

/** What the words of `callNonce` are made with. */
const nonceSecretSchema = secret
  .exactOptional()
  .describe(
    'A secret of which the words of `callNonce` are made. Set it so that they stay the same after a restart, or in several gateways. Default: made up at each start.',
  );

/** Who may come in. */
const authSchema = z
  .strictObject({
    mode: word(['auto', 'required', 'off'], 'auto').describe(
      '`auto`: a key is asked for if `keys` has any. `required`: no start without one. `off`: none is asked for; loopback only.',
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
        'Origins such as `https://example.org`, or `*`. Default: pages on loopback, if the gateway listens on loopback. Others are refused; where there are `keys`, they cannot read the answer.',
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
          'Refuses what the API refuses, and names the place. False: reads whatever has one meaning.',
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
      'The most responses that run in the background at once. 0: none. With several `keys`, one of them runs at most as many as it leaves free for the others.',
    ),
    responseBytes: whole(0, 64 * 1024 * 1024).describe(
      'About the most memory for stored responses, and as much again for the events of those that run in the background. What was not used for longest is forgotten. With a database as `store`: only for what is not written yet. 0: none.',
    ),
  })
  .describe('Bounds of a request and its reply.');

/** What is logged, and where. */
const logSchema = z
  .strictObject({
    level: word(logLevels, 'info').describe(
      'How much is logged. Requests are `info`, refused ones `warn`, failed ones `error`.',
    ),
    format: word(logFormats, 'auto').describe(
      '`pretty`: for people. `json`: JSON lines. `auto`: `pretty` on a terminal, else `json`.',
    ),
    toolIntent: flag(true).describe('Notes requests that sound like tools but declare none. It changes nothing else.'),
    file: optional.text.describe(
      'A file for the log, as JSON lines. Its folder is made. At 10 MB it becomes `.1`, and the last five are kept. Default: standard error.',
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
    'Where stored responses, ids of calls and places in conversations are kept. `memory`: until the gateway ends. `sqlite:PATH`: in this file. `{ "postgres": "env:DATABASE_URL" }`: in the database with this address. See docs/storage.md.',
  );

/** How long it is kept. */
const retentionSchema = z
  .strictObject({
    days: z.number().min(0).default(30).describe('Days since something was last used. 0: for ever.'),
    bytes: whole(0, 1024 * 1024 * 1024).describe(
      'About the most bytes for each: responses, ids of calls, places in conversations. What was not used for longest is forgotten. 0: any size.',
    ),
  })
  .describe('How long and how much is kept in a database. For memory see `limits`.');

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
        'Until a request gets its turn in a conversation of a platform, which is busy or takes one after another (`parallel`).',
      ),
    keepAlive: milliseconds
      .optional()
      .describe(
        'Silence before a keep-alive. Default: 15000 within a reply; before it none, so that an error still gets its status. A number holds for both: set it for a proxy that cuts silent connections.',
      ),
    drain: milliseconds
      .default(30_000)
      .describe('How long running replies have when the gateway is told to stop. Then they are broken off.'),
  })
  .describe('Milliseconds; 0 switches one off.');

/** The schema of the configuration file: types, validation, editor help and documentation come from here. */
export const configSchema = z.strictObject({
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
      z.preprocess(completeUpstream, upstreamSchema).meta({ type: ['object', 'string'], required: [] }),
    )
    .default({})
    .describe(
      'Model servers that requests are sent to, by name. An address is enough: `"local": "http://127.0.0.1:8080/v1"`.',
    ),
  dialects: z
    .record(z.string().regex(/^[^/\s]+$/), dialectSchema)
    .default({})
    .describe('Dialects of your own, by the name that model rules call them.'),
  models: z
    .record(text, text)
    .default({})
    .describe('Aliases, such as `"gpt-4o": "local/qwen2.5-7b"`: the name that clients ask for, and `upstream/model`.'),
  defaultModel: optional.text.describe(
    'For requests without a model. Default: the first model of a server that was found; else they are refused.',
  ),
  findUpstreams: optional.flag.describe(
    'Whether the model servers of this machine are served, and the vendors whose API keys are in the environment. See docs/discovery.md. Default: if `upstreams` is empty.',
  ),
  demo: flag(true).describe(
    'Whether the built-in demo model answers. It is listed only where there is no other upstream.',
  ),
  toolCalling: flag(true).describe(
    'False: tools are taken out of every request. How a model calls tools, the `toolCalling` of its rule says.',
  ),
  allowedTools: z.array(text).exactOptional().describe('Only these tools reach a model. Default: all.'),
  systemInjection: flag(true).describe('False: system text passes through, whatever `systemText` says.'),
  prompts: promptsSchema
    .exactOptional()
    .describe(
      'Templates that write a whole turn as one text, for upstreams that keep the conversation and for models whose rule has `prompts`. See docs/prompts.md. `{}`: the built-in ones. Left out: none.',
    ),
  limits: limitsSchema.prefault({}),
  store: storeSchema,
  retention: retentionSchema.prefault({}),
  records: recordsSchema.prefault({}),
  timeouts: timeoutsSchema.prefault({}),
  log: logSchema.prefault({}),
});

/** A configuration in which every field has its value. Secrets still read `env:NAME`. */
export type Config = z.output<typeof configSchema>;

/** One upstream of it. */
export type UpstreamConfig = Config['upstreams'][string];
