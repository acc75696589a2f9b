import type { Quirks } from '../wires/wire.ts';

/**
 * What the Chat Completions of a host need or do, by the end of its name.
 *
 * Ids of calls: OpenAI and Azure answer longer ones with "string too long. Expected a string with maximum length 40"; Mistral with
 * "must be a-z, A-Z, 0-9, with a length of 9".
 *
 * Schemas: those whose documents say that an answer fits the one in `response_format`. OpenAI, Azure, Groq and Cerebras hold an answer
 * to a schema only with `strict`, and that takes none with alternatives at its root or with parameters that may be left out. A model
 * there that takes none, as Gemma at Google, refuses it, which is learnt.
 *
 * Past reasoning: DeepSeek and Kimi refuse an assistant message without it ("reasoning_content is missing in assistant tool call
 * message"), Groq, Cerebras and Mistral one with it ("property 'reasoning_content' is unsupported", "Extra inputs are not permitted").
 */
const knownHosts: readonly { readonly host: string; readonly quirks: Quirks }[] = [
  { host: 'api.openai.com', quirks: { callIds: 'forty' } },
  { host: 'openai.azure.com', quirks: { callIds: 'forty' } },
  { host: 'api.mistral.ai', quirks: { callIds: 'nine', noReasoningHistory: true } },
  // https://api-docs.deepseek.com/guides/thinking_mode#tool-calls
  { host: 'api.deepseek.com', quirks: { replayReasoning: true } },
  { host: 'api.moonshot.ai', quirks: { replayReasoning: true } },
  { host: 'api.moonshot.cn', quirks: { replayReasoning: true } },
  { host: 'api.groq.com', quirks: { noReasoningHistory: true } },
  // It has another name for it: https://inference-docs.cerebras.ai/capabilities/reasoning
  { host: 'api.cerebras.ai', quirks: { reasoningField: 'reasoning' } },
  // Workers AI: "Type mismatch of '/messages/1/content'" where a message that only calls tools has null.
  { host: 'api.cloudflare.com', quirks: { emptyStringContent: true } },
  // "It's enforced during generation": https://docs.fireworks.ai/structured-responses/structured-response-formatting
  { host: 'api.fireworks.ai', quirks: { holdsSchemas: true } },
  // "The response is guaranteed to match your schema": https://docs.x.ai/developers/model-capabilities/text/structured-outputs
  { host: 'api.x.ai', quirks: { holdsSchemas: true } },
  // "JSON that conforms to any schema you supply": https://docs.together.ai/docs/inference/chat/structured-outputs
  { host: 'api.together.xyz', quirks: { holdsSchemas: true } },
  { host: 'api.together.ai', quirks: { holdsSchemas: true } },
  // https://ai.google.dev/gemini-api/docs/openai and /docs/structured-output
  { host: 'generativelanguage.googleapis.com', quirks: { holdsSchemas: true } },
];

/** What is known of a host, wherever nobody says otherwise. */
export function quirksOfHost(hostname: string): Quirks {
  return knownHosts.find(({ host }) => hostname === host || hostname.endsWith(`.${host}`))?.quirks ?? {};
}

/** The models of OpenAI that think: they refuse `max_tokens`, and it is `max_completion_tokens` that they take. */
const thinking = /^(gpt-5|o[1-9])([-.]|$)/;
/** Those of them that make one call at a time, and refuse to be told so. */
const callsOnce = /^o[1-9]([-.]|$)/;
/** Those that don't: they refuse `reasoning_effort`, which agents such as Claude Code ask of every model. */
const unthinking = /^(gpt-3\.5|gpt-4|chatgpt-)/;

/**
 * What is known of a model wherever Chat Completions or Responses serve it, by its name; a hub writes its vendor in front. Source:
 * https://platform.openai.com/docs/guides/reasoning and https://platform.openai.com/docs/api-reference/chat/create.
 */
export function quirksOfModel(model: string): Quirks {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (unthinking.test(name)) return { noReasoningEffort: true };
  if (!thinking.test(name)) return {};
  const maxTokensField = 'max_completion_tokens';
  return callsOnce.test(name) ? { maxTokensField, noParallelToolCalls: true } : { maxTokensField };
}

/**
 * Where the API of a server begins that is known by its name, or by the port that it listens on unless it is told another.
 * A port counts only where nothing but that server has it by custom: others on 8000 and 1234 have their API at the root, too.
 * Sources: https://docs.ollama.com/api/openai-compatibility and the references of the vendors.
 */
const knownPaths: readonly { readonly host?: string; readonly port?: string; readonly path: string }[] = [
  { host: 'api.openai.com', path: '/v1' },
  { host: 'api.anthropic.com', path: '/v1' },
  { host: 'api.mistral.ai', path: '/v1' },
  { host: 'openrouter.ai', path: '/api/v1' },
  { host: 'api.groq.com', path: '/openai/v1' },
  { port: '11434', path: '/v1' },
];

/** The path at which the API begins; undefined where that is not known, or the wire begins at the root. */
export function pathOfHost({ hostname, port }: URL, wire: unknown): string | undefined {
  if (wire === 'ollama-chat' || wire === 'qwen-chat' || wire === 'conversation') return undefined;
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return knownPaths.find((each) => each.host === hostname || (isHere && each.port === port && port !== ''))?.path;
}

/** The API that an address most probably speaks, where the configuration does not say. */
export function wireOfAddress({ hostname, port, pathname }: URL): string {
  if (hostname === 'api.anthropic.com') return 'anthropic-messages';
  return port === '11434' && pathname === '/' ? 'ollama-chat' : 'openai-chat';
}

/** Where the inventors of an API serve it themselves, by wire. Sources: their own references. */
const vendorHosts: Readonly<Record<string, readonly string[]>> = {
  // https://platform.openai.com/docs/api-reference
  'openai-chat': ['api.openai.com'],
  'openai-responses': ['api.openai.com'],
  // https://docs.claude.com/en/api/overview
  'anthropic-messages': ['api.anthropic.com'],
};

/** Whether an upstream is the service of the wire's own inventor, whose replies need no repairing. */
export function isVendorOfApi({
  wire,
  baseUrl,
}: {
  readonly wire: string;
  readonly baseUrl?: string | undefined;
}): boolean {
  return baseUrl !== undefined && vendorHosts[wire]?.includes(new URL(baseUrl).hostname) === true;
}
