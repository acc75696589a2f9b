import { z } from 'zod';
import { conversationSchema } from './conversation-schema.ts';
import { createModelRuleSchema } from './model-rule-schema.ts';
import { createQuirksSchema, type QuirkTables } from './quirk-schema.ts';
import { qwenChatSchema } from './qwen-chat-schema.ts';
import { deadlineWords, milliseconds, secret } from './schema-values.ts';
import { workersSchema } from './workers-schema.ts';

/** The names that only registries know. */
export interface KnownNames {
  readonly wires: readonly string[];
  readonly dialects: readonly string[];
  readonly quirks: QuirkTables;
}

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is no name of a header');

const upstreamTimeouts = z
  .strictObject({
    connect: milliseconds.exactOptional().describe(deadlineWords.connect),
    firstToken: milliseconds.exactOptional().describe(deadlineWords.firstToken),
    idle: milliseconds.exactOptional().describe(deadlineWords.idle),
    total: milliseconds.exactOptional().describe(deadlineWords.total),
  })
  .describe('Overrides of `timeouts` for this upstream.');

const retry = z
  .strictObject({
    attempts: z
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe(
        'How often a request is sent at most. 1: never again. The second time is after a second, each further wait is twice as long, up to ten seconds. An upstream that asks for a longer one (`retry-after`) is not asked again.',
      ),
  })
  .describe(
    'Sending a request again when the upstream answers 429 or 5xx, cannot be reached, or fails before a client is shown anything. Each attempt has `timeouts.connect` and `timeouts.firstToken`.',
  );

const discovery = z
  .strictObject({
    enabled: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether the upstream is asked. Default: yes if it has `anyModel`; else only where calls have to fit, as the list tells which server it is.',
      ),
    path: z
      .string()
      .regex(/^\/[!-~]*$/, 'must be a path that begins with "/", without spaces')
      .exactOptional()
      .describe(
        'Where its list is, from the root of the server, such as `/api/v0/models`. Default: where its API has it.',
      ),
    ttl: milliseconds.default(300_000).describe('The age from which the list is asked for anew.'),
    wait: milliseconds
      .default(1_000)
      .describe('How long a client that asks for models waits for a new list; then it gets what is known.'),
  })
  .describe('The list of models that the upstream itself has; see docs/models.md. Milliseconds.');

/** What the configuration says of one upstream. */
export function createUpstreamSchema(known: KnownNames) {
  const rule = createModelRuleSchema(known.dialects);
  return z
    .strictObject({
      wire: z.enum(known.wires).describe('The API that the upstream speaks.'),
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .exactOptional()
        .describe('Its address, such as `http://127.0.0.1:8080/v1`. Needed unless `workers` dial in.'),
      workers: workersSchema.exactOptional(),
      apiKey: secret.exactOptional(),
      headers: z.record(headerName, secret).default({}).describe('Further request headers; they win over our own.'),
      quirks: createQuirksSchema(known.quirks),
      timeouts: upstreamTimeouts.default({}),
      retry: retry.prefault({}),
      discovery: discovery.prefault({}),
      conversation: conversationSchema.exactOptional(),
      parallel: z
        .enum(['branch', 'queue'])
        .exactOptional()
        .describe(
          'For upstreams that keep conversations: requests that go on from the same place at the same time become branches, which is the default; or those of one identity go one after another, each after the reply before.',
        ),
      qwenChat: qwenChatSchema.exactOptional(),
      models: z.record(z.string().min(1), rule.prefault({})).default({}).describe('Rules by model name.'),
      anyModel: rule
        .exactOptional()
        .describe(
          'The rule for models that are not listed, with the fields of `models.<name>`; `true` for one without any. Without it only listed ones exist, and all where none is listed.',
        )
        .meta({ type: ['object', 'boolean'] }),
    })
    .describe('A place that requests are sent to.');
}
