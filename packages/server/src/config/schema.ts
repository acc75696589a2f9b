import { z } from 'zod';
import { paths, publicPaths } from '../http/paths.ts';
import { dialectSchema } from './dialect-schema.ts';
import { logFormats, logLevels } from './environment.ts';
import { promptsSchema } from './prompts-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { deadlineWords, milliseconds, secret } from './schema-values.ts';
import { createUpstreamSchema, type KnownNames } from './upstream-schema.ts';

export type { KnownNames } from './upstream-schema.ts';

/** As browsers write it: scheme and host, and a port where it is not the scheme's own. */
const origin = z
  .string()
  .regex(
    /^(\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+)$/,
    'must be an origin with its scheme and without a path, such as "https://example.org", or "*"',
  );

const listen = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('The address to listen on. Other than loopback needs a key.'),
    port: z.int().min(0).max(65535).default(11434).describe('0 picks a free port.'),
    hosts: z
      .array(z.string().min(1))
      .exactOptional()
      .describe('Without keys: further names that requests may address us by, or `*`. Loopback names always may.'),
  })
  .describe('Where the gateway listens.');

const deadlines = {
  connect: milliseconds.default(120_000).describe(deadlineWords.connect),
  firstToken: milliseconds.default(120_000).describe(deadlineWords.firstToken),
  idle: milliseconds.default(120_000).describe(deadlineWords.idle),
  total: milliseconds.default(3_600_000).describe(deadlineWords.total),
};

const timeouts = z
  .strictObject({
    ...deadlines,
    turn: milliseconds
      .default(120_000)
      .describe('Until a request gets its turn where those of one conversation go one after another (`parallel`).'),
    keepAlive: milliseconds.default(15_000).describe('Silence before a keep-alive comment.'),
    drain: milliseconds
      .default(30_000)
      .describe('For running replies when the gateway is told to stop; what takes longer is broken off.'),
  })
  .describe('Milliseconds; 0 switches one off.');

const store = z
  .union([
    z.literal('memory'),
    z.string().regex(/^sqlite:./, 'must be "memory", "sqlite:" and a file, or { "postgres": "env:NAME" }'),
    z.strictObject({ postgres: secret }),
  ])
  .default('memory')
  .describe(
    'Where stored responses, ids of calls and places in conversations are kept: in `memory`, which ends with the process; in the SQLite file that `sqlite:PATH` names; or in a PostgreSQL database by its address, such as `env:DATABASE_URL`. See docs/storage.md.',
  );

const retention = z
  .strictObject({
    days: z.number().min(0).default(30).describe('Days since something was last used. 0: for ever.'),
    bytes: z
      .int()
      .min(0)
      .default(1024 * 1024 * 1024)
      .describe(
        'About the most that responses take, and ids of calls, and places in conversations, each; what was not used for longest is forgotten. 0: any size.',
      ),
    conversationMinutes: z
      .number()
      .min(0)
      .exactOptional()
      .describe(
        'Minutes since a place in a conversation was last gone on from; then it is forgotten, and its history sent anew. 0: never. Default: 30 in memory, otherwise as `days` says.',
      ),
    sweepMinutes: z
      .number()
      .gt(0)
      .max(24 * 60)
      .default(10)
      .describe('Minutes between two looks at what is too old, or too much.'),
  })
  .describe(
    'How long and how much is kept. `days` and `bytes` are for a `store` other than memory, which `limits` bounds.',
  );

const clientWires = z
  .strictObject({
    'openai-chat': z
      .strictObject({
        beginToolCalls: z
          .boolean()
          .default(false)
          .describe('Streams a `beginToolCalls` delta with the id of the first call in front of it.'),
        emptyStringContent: z
          .boolean()
          .default(false)
          .describe('Writes `""` instead of `null` as content of an answer that only calls tools.'),
        errorPosition: z
          .enum(['before-finish', 'after-finish'])
          .default('before-finish')
          .describe('Where the error of a broken stream stands. VS Code shows it only after the final chunk.'),
        conversationField: z
          .boolean()
          .default(false)
          .describe(
            'Writes `_conversation` with the ids of an upstream that keeps the conversation into the last chunk and into whole answers.',
          ),
      })
      .describe('Chat Completions.')
      .prefault({}),
    'openai-responses': z
      .strictObject({
        strict: z
          .boolean()
          .default(true)
          .describe('Refuses what the API refuses, naming the place. False: reads what has one meaning.'),
        done: z
          .boolean()
          .default(false)
          .describe('Ends streams with `data: [DONE]`. No client needs it, and VS Code 0.42 fails because of it.'),
      })
      .describe('Responses, which is also OpenResponses.')
      .prefault({}),
  })
  .describe('How replies are written for clients, by wire.');

/** The schema of the configuration file: types, validation, editor help and documentation come from here. */
export function createConfigSchema(known: KnownNames) {
  return z.strictObject({
    $schema: z.string().exactOptional().describe('For editors.'),
    listen: listen.prefault({}),
    keys: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe('What the log calls it.'),
          key: secret,
          records: z
            .enum(['own', 'all'])
            .default('own')
            .describe('Which records this key may read and delete: those of its own requests, or those of all.'),
          guards: z
            .boolean()
            .exactOptional()
            .describe(
              'False: loops of calls in requests with this key are neither told of nor ended, whatever `guards` of a model rule says. For agents that have guards of their own.',
            ),
        }),
      )
      .default([])
      .describe('Keys that clients may use.'),
    nonceSecret: secret
      .exactOptional()
      .describe(
        'What the words of `callNonce` are made with, for several gateways or for the time behind a restart. Default: drawn when the gateway starts.',
      ),
    auth: z
      .strictObject({
        mode: z
          .enum(['auto', 'required', 'off'])
          .default('auto')
          .describe(
            '`auto`: keys are asked for when there are any; `required`: no start without one; `off`: loopback only.',
          ),
        publicRoutes: z
          .array(z.enum(paths))
          .default([...publicPaths])
          .describe('Routes that need no key.'),
      })
      .describe('Who may come in.')
      .prefault({}),
    cors: z
      .strictObject({
        origins: z
          .array(origin)
          .exactOptional()
          .describe(
            'Origins of web pages that may call, or `*`. Default: pages on loopback, when we listen on loopback. Without keys the others are refused, with keys they cannot read the answer.',
          ),
      })
      .describe('Which web pages may call.')
      .prefault({}),
    clientWires: clientWires.prefault({}),
    upstreams: z
      .record(
        z
          .string()
          .min(1)
          .regex(/^[^/]+$/),
        createUpstreamSchema(known),
      )
      .default({})
      .describe('Places that requests are sent to, by name.'),
    dialects: z
      .record(z.string().regex(/^[^/\s]+$/), dialectSchema)
      .default({})
      .describe('Dialects of your own, by the name that model rules call them.'),
    models: z.record(z.string().min(1), z.string().min(1)).default({}).describe('Aliases: a name to `upstream/model`.'),
    defaultModel: z.string().min(1).exactOptional().describe('For requests without a model.'),
    demo: z.boolean().default(true).describe('Whether the built-in demo model is there.'),
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
    limits: z
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
        waitingRequests: z
          .int()
          .min(0)
          .default(16)
          .describe('The most requests that wait for the same turn, where an upstream has `parallel: "queue"`.'),
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
        callIdBytes: z
          .int()
          .min(0)
          .default(4 * 1024 * 1024)
          .describe(
            'About the most memory for ids of calls that upstreams made too long to be carried inside ours; what was not used for longest is forgotten. 0: none.',
          ),
        conversations: z
          .int()
          .min(0)
          .default(10_000)
          .describe(
            'About the most places in conversations that upstreams keep, one for each reply; what was not used for longest is forgotten. 0: any number.',
          ),
        conversationBytes: z
          .int()
          .min(0)
          .default(16 * 1024 * 1024)
          .describe(
            'About the most memory for the places in conversations that upstreams keep, where `store` is memory; what was not used for longest is forgotten, and its history sent anew. 0: none.',
          ),
        recordBytes: z
          .int()
          .min(0)
          .default(64 * 1024 * 1024)
          .describe(
            'About the most memory for records of exchanges: with `"store": "memory"` for all of them, the oldest are forgotten; with a database for those that are not written yet.',
          ),
      })
      .describe('Bounds of a request and its reply.')
      .prefault({}),
    store,
    retention: retention.prefault({}),
    records: recordsSchema.prefault({}),
    timeouts: timeouts.prefault({}),
    log: z
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
          .strictObject({
            path: z.string().min(1).describe('The file. Its folder is made where it is missing.'),
            bytes: z
              .int()
              .min(1024)
              .default(10 * 1024 * 1024)
              .describe('From this size on it is put aside as `.1`, and a new one is begun.'),
            files: z.int().min(1).max(1000).default(5).describe('How many are kept beside the current one.'),
          })
          .exactOptional()
          .describe('A file for the log, as JSON lines. Default: standard error.'),
      })
      .describe('What is logged.')
      .prefault({}),
  });
}

/** A configuration in which every field has its value. Secrets still read `env:NAME`. */
export type Config = z.output<ReturnType<typeof createConfigSchema>>;
export type UpstreamConfig = Config['upstreams'][string];
