import { type Dialect, dialects, type ToolDefinition } from '@dragoman/core';
import { type ScriptedUpstream, type ScriptedUpstreamOptions, startScriptedUpstream } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** A gateway before one scripted upstream whose models know nothing of tools, one for each dialect: `up/hermes` and so on. */
export interface TextGateway extends TestGateway {
  readonly baseURL: string;
  readonly upstream: ScriptedUpstream;
  /** One streamed answer, whole, as text. */
  stream(model: string, fields?: object): Promise<string>;
  /** One answer in a single piece of JSON. */
  whole(model: string, fields?: object): Promise<WholeAnswer>;
}

export interface WholeAnswer {
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
    };
  }[];
  readonly usage?: Readonly<Record<string, unknown>>;
}

export interface TextGatewayOptions {
  readonly scripted?: ScriptedUpstreamOptions;
  /** What every model is configured with besides its dialect. */
  readonly rule?: object;
  /** Fields of the configuration besides `upstreams`. */
  readonly config?: object;
}

/** Dialect by id, for `describe.each`. */
export const eachDialect = [...dialects].map(([id, dialect]) => ({ id, dialect }));

export async function startTextGateway({ scripted, rule, config }: TextGatewayOptions = {}): Promise<TextGateway> {
  const upstream = await startScriptedUpstream(scripted);
  const models = Object.fromEntries(
    eachDialect.map(({ id }) => [id, { ...rule, toolCalling: { dialect: id } }] as const),
  );
  const up = {
    wire: 'openai-chat',
    baseUrl: upstream.baseUrl,
    models: { ...models, native: { ...rule, toolCalling: 'native' } },
  };
  const gateway = await startTestGateway({ config: { ...config, upstreams: { up } } });
  const ask = (model: string, fields: object) =>
    gateway.post({ model: `up/${model}`, messages: [{ role: 'user', content: 'Go on.' }], tools, ...fields });
  return {
    ...gateway,
    baseURL: `${gateway.url}/v1`,
    upstream,
    stream: async (model, fields) => (await ask(model, { ...fields, stream: true })).text(),
    whole: async (model, fields) => (await ask(model, { ...fields })).json(),
    close: async () => {
      await gateway.close();
      await upstream.close();
    },
  };
}

/** One for the test that runs, or is about to; closed when that is over. */
export async function textGatewayForTest(options: TextGatewayOptions = {}): Promise<TextGateway> {
  const gateway = await startTextGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Two tools as a client declares them. */
export const tools = [
  declare('read', 'Reads a file.', { path: { type: 'string' }, limit: { type: 'integer' } }, ['path']),
  declare('write', 'Writes a file.', { path: { type: 'string' }, content: { type: 'string' } }, ['path', 'content']),
];

function declare(name: string, description: string, properties: object, required: string[]) {
  return {
    type: 'function' as const,
    function: { name, description, parameters: { type: 'object', properties, required } },
  };
}

const definitions: readonly ToolDefinition[] = tools.map(({ function: { name, description, parameters } }) => ({
  name,
  description,
  inputSchema: parameters,
}));

/** One call, with its arguments as values. */
export type Wanted = readonly [name: string, values: object];

/** One round of calls as a model of the dialect writes them. `ordinal` counts the calls that came before. */
export function written(dialect: Dialect, calls: readonly Wanted[], ordinal = 0): string {
  const past = calls.map(([name, values], index) => ({
    callId: '',
    name,
    arguments: JSON.stringify(values),
    ordinal: ordinal + index,
  }));
  return dialect.renderCalls(past, definitions);
}

/** A client's collected calls as they are wanted: names and values. */
export function wantedOf(calls: readonly { readonly name: string; readonly arguments: string }[]): Wanted[] {
  return calls.map((call) => [call.name, JSON.parse(call.arguments)]);
}
