import { qwenChatDefaults as known, type QuirkRule } from '@dragoman/core';
import { z } from 'zod';
import { conversationSchema, jsonPath } from './conversation-schema.ts';
import { quirkTables, wireNames } from './known-names.ts';
import { modelRuleSchema } from './model-rule-schema.ts';
import { deadlineWords, milliseconds, optional, secret, text, word } from './schema-values.ts';

/** How one platform of the wire `qwen-chat` differs from the next. */
const qwenChatSchema = z
  .strictObject({
    chatMode: text.default(known.chatMode).describe('`chat_mode`: whose chats they are, such as `normal`.'),
    chatType: text.default(known.chatType).describe('`chat_type` of chats and messages.'),
    features: z
      .record(z.string(), z.unknown())
      .default({ ...known.features })
      .describe('Further fields of `feature_config`. What a request says of thinking counts for more.'),
    parent: jsonPath
      .default([...known.parent])
      .describe(
        'Where an event holds what the next message names as its parent: names of fields, as in `conversation`.',
      ),
    end: word(['mark', 'close'], known.end).describe(
      'What ends a reply. `mark`: `finished` or `[DONE]`; without it the warning is `end-unmarked`. `close`: the end of the stream, for platforms that send no mark.',
    ),
    lost: z
      .array(text)
      .default([...known.lost])
      .describe('Words by which a refusal says that a chat or a parent is not there any more.'),
  })
  .describe('For the wire `qwen-chat`: how this platform differs from others; see docs/conversations.md.');

/** What is said of workers that connect, for an upstream that is not called. */
const workersSchema = z
  .strictObject({
    token: secret
      .exactOptional()
      .describe(
        'What a worker has to send as its key: the value itself, or `env:NAME`. Where clients need keys, it has to be there.',
      ),
    speak: word(['requests', 'commands'], 'requests').describe(
      '`requests`: workers get HTTP requests to make, for any wire. `commands`: only for the wire `conversation`; the path of a request is the name of a command, its body the params.',
    ),
    concurrency: z
      .int()
      .min(1)
      .max(1000)
      .default(64)
      .describe('The most commands that a worker gets at once; each says for itself how many it takes.'),
    queue: z
      .strictObject({
        limit: z
          .int()
          .min(0)
          .max(10_000)
          .default(100)
          .describe('The most requests that wait; more are refused with 503.'),
        wait: milliseconds
          .max(600_000)
          .default(10_000)
          .describe(
            'How long a request waits for a worker, in milliseconds; then it is refused with 503. 0: not at all.',
          ),
      })
      .describe('Requests that no worker can take at once.')
      .prefault({}),
    relay: z
      .strictObject({
        concurrency: z.int().min(1).max(1000).default(1).describe('How many commands such a worker gets at once.'),
      })
      .exactOptional()
      .describe('Takes workers and senders of a plain relay, too, with `commands`; see docs/workers.md.'),
  })
  .describe('Instead of `baseUrl`: workers connect and answer, at `/workers/<name>`; see docs/workers.md.');

/**
 * The quirks of an upstream. Editors are told every name of every wire; which of them the upstream's own wire has is for
 * `checkQuirks`, since a schema does not see the wire that is beside.
 */
const quirksSchema = z
  .record(z.string(), z.union([z.boolean(), z.string(), z.number()]))
  .meta({
    description: 'How the server differs from its API. Many are found out; these say it for good.',
    properties: quirkProperties(),
    additionalProperties: false,
  })
  .default({});

function quirkProperties(): Readonly<Record<string, unknown>> {
  const rules = Object.entries(quirkTables).flatMap(([wire, table]) =>
    Object.entries(table).map(([name, rule]) => ({ wire, name, rule })),
  );
  const names = [...new Set(rules.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const same = rules.filter((each) => each.name === name);
      const [first] = same;
      return [name, { description: describe(same), ...(first && shapeOf(first.rule)) }];
    }),
  );
}

/** The wires before what the quirk means there, which for most is the same. */
function describe(rules: readonly { readonly wire: string; readonly rule: QuirkRule }[]): string {
  const wiresOf = new Map<string, string[]>();
  for (const { wire, rule } of rules) {
    const meaning = typeof rule === 'string' ? rule : rule.meaning;
    wiresOf.set(meaning, [...(wiresOf.get(meaning) ?? []), `\`${wire}\``]);
  }
  return [...wiresOf].map(([meaning, wires]) => `${wires.join(', ')}: ${meaning}`).join(' ');
}

function shapeOf(rule: QuirkRule): { readonly type: string; readonly enum?: readonly string[]; minimum?: number } {
  if (typeof rule === 'string') return { type: 'boolean' };
  return rule.value === 'count' ? { type: 'integer', minimum: 1 } : { type: 'string', enum: rule.value };
}

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is not the name of a header');

const upstreamTimeouts = z
  .strictObject({
    connect: milliseconds.exactOptional().describe(deadlineWords.connect),
    firstToken: milliseconds.exactOptional().describe(deadlineWords.firstToken),
    idle: milliseconds.exactOptional().describe(deadlineWords.idle),
    total: milliseconds.exactOptional().describe(deadlineWords.total),
  })
  .describe('Instead of those of `timeouts`, for this upstream.');

const retry = z
  .strictObject({
    attempts: z
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe(
        'How often a request is sent at most. 1: never again. The first wait is a second, each further one twice as long, up to ten. An upstream that asks for a longer one (`retry-after`) is not asked again.',
      ),
  })
  .describe(
    'Sends a request again if the upstream answers 429 or 5xx, cannot be reached, or fails before the client gets anything. `timeouts.connect` and `firstToken` hold for each attempt.',
  );

const discovery = z
  .strictObject({
    enabled: optional.flag.describe(
      'Whether the upstream is asked. Default: yes if it has `anyModel`; else only to know which server it is, where calls have to fit.',
    ),
    path: z
      .string()
      .regex(/^\/[!-~]*$/, 'must be a path that begins with "/", without spaces')
      .exactOptional()
      .describe(
        'The path of the list, from the root of the server, such as `/api/v0/models`. Default: that of its API.',
      ),
    wait: milliseconds
      .default(1_000)
      .describe('How long a client that asks for models waits for a new list; then it gets what is known.'),
  })
  .describe('The list of models that the upstream itself has; see docs/models.md. Milliseconds.');

/** What the configuration says of one upstream. */
export const upstreamSchema = z
  .strictObject({
    wire: z.enum(wireNames).describe('The API that the upstream speaks. Left out: as the address tells.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .exactOptional()
      .describe('Its address, such as `http://127.0.0.1:8080/v1`. Needed unless `workers` connect.'),
    workers: workersSchema.exactOptional(),
    apiKey: secret.exactOptional(),
    headers: z
      .record(headerName, secret)
      .default({})
      .describe('Further request headers. They replace ours of the same name.'),
    quirks: quirksSchema,
    timeouts: upstreamTimeouts.default({}),
    retry: retry.prefault({}),
    discovery: discovery.prefault({}),
    conversation: conversationSchema.exactOptional(),
    parallel: optional
      .word(['branch', 'queue'])
      .describe(
        'For upstreams that keep conversations: several requests that go on from the same place. `branch` (default): each becomes a branch. `queue`: those of one identity go one after another.',
      ),
    qwenChat: qwenChatSchema.exactOptional(),
    models: z.record(text, modelRuleSchema.prefault({})).default({}).describe('Rules by model name.'),
    anyModel: modelRuleSchema
      .exactOptional()
      .describe(
        'The rule for models that are not in `models`, with the same fields; `true`: no settings. Without it only those in `models` exist, and all if `models` is empty.',
      )
      .meta({ type: ['object', 'boolean'] }),
  })
  .describe('A place that requests are sent to.');
