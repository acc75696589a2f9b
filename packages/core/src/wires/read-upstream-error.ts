import { DragomanError, type ErrorCode, type Refusal, type ServerWords } from '../errors.ts';
import { parsedJson } from '../json/parsed-json.ts';
import { isAbsent, isObject, type JsonObject } from './read-values.ts';

// What upstreams say where they refuse or fail. One server speaks several APIs and says the same in each, whatever the
// API's own words are, so these belong to no wire.

/** Codes and types by which servers say what is wrong. */
const words = {
  overflow: [
    'context_length_exceeded',
    'context_window_exceeded',
    'model_context_window_exceeded',
    'exceed_context_size_error',
    'request_too_large',
  ],
  unauthorized: ['authentication_error', 'permission_error', 'invalid_api_key'],
  rateLimited: ['rate_limit_exceeded', 'rate_limit_error', 'too_many_requests'],
  overloaded: ['overloaded_error', 'unavailable_error'],
  // OpenAI says it with 429, which everybody repeats.
  unpaid: ['insufficient_quota', 'billing_error', 'billing_not_active', 'billing_hard_limit_reached'],
  unknownModel: ['model_not_found', 'not_found_error'],
  refused: [
    'invalid_request_error',
    'not_supported_error',
    'unsupported_parameter',
    'unsupported_value',
    'invalid_prompt',
    'BadRequestError',
  ],
} as const satisfies { readonly [kind: string]: readonly string[] };

/** By which servers without such a code say that the prompt is too long; in small letters. */
const overflowPhrases: readonly string[] = [
  'maximum context length', // OpenAI, vLLM, OpenRouter, Mistral
  'exceeds the available context size', // llama.cpp
  'exceeds the context window', // OpenAI's Responses
  'exceeds the context length', // Ollama 0.17
  'exceeded max context length', // Ollama's cloud
  'exceed context limit', // Anthropic: input and max_tokens together
  'prompt is too long', // Anthropic
  'input is too long for requested model', // Bedrock
  'exceeds the maximum number of tokens', // Gemini
  'maximum prompt length is', // xAI
  'reduce the length of the messages', // Groq
  'exceeds the maximum allowed input length', // Poolside
  "longer than the model's context length", // Together, SGLang
  'greater than the context length', // LM Studio
  'context length of only', // LM Studio
  'context window exceeds limit', // MiniMax
  'exceeded model token limit', // Kimi
  'range of input length should be', // DashScope
];

/**
 * Refusals that would be refused again whatever the status says, and what can be done about them, by whoever asks. llama.cpp
 * says the first two with 500.
 */
const remedies: readonly {
  readonly refusals: readonly string[];
  readonly cure: string;
  /** What the server refuses, where it takes the request without. */
  readonly refuses?: Refusal;
}[] = [
  {
    refusals: ['image input is not supported', 'does not support image', 'is not a multimodal model'],
    cure: 'Send no images to this model, or choose one that reads them.',
  },
  {
    // That they, or the model, take no tools: llama.cpp and forks, vLLM, Ollama, OpenRouter, DeepSeek, Gemini and Mistral, Groq.
    refusals: [
      'tools param requires --jinja',
      'Unsupported param: tools',
      'tools param is not fully supported',
      'tool choice requires --enable-auto-tool-choice',
      'requires --tool-call-parser',
      'does not support tools',
      'No endpoints found that support tool use',
      'does not support Function Calling',
      'Function calling is not enabled for',
      '`tool calling` is not supported',
    ],
    cure: 'Set "toolCalling" of this model to "auto", and it needs no tools of its server.',
    refuses: 'tools',
  },
  {
    // That the model does not stream, or not with tools: OpenAI, Bedrock.
    refusals: ["'stream' does not support true", 'in streaming mode', 'does not support streaming'],
    cure: 'With the quirk "noStream" it is asked for whole answers.',
  },
  {
    // That it cannot read the grammar of a call, or has none: llama.cpp, vLLM and SGLang with xgrammar.
    refusals: [
      'failed to parse grammar',
      'grammar constraints with tools',
      'Failed to initialize samplers',
      'Invalid grammar',
      'Grammar error',
      'EBNF',
    ],
    cure: 'Set "constrainCalls" of this model to "off", and its calls are only taught.',
    refuses: 'grammar',
  },
  {
    // That they take no schema, or not this one: OpenAI, Azure, Groq and hubs; vLLM; llama.cpp, also below Ollama; LM Studio; Mistral;
    // Fireworks; Gemma at Google; DeepSeek.
    refusals: [
      "'response_format'",
      '`response_format`',
      'response_format.',
      'schema for response_format',
      'schema for response format',
      'response format `json_schema`',
      'JSON Schema not supported',
      'JSON mode is not enabled',
      'response_format type is unavailable',
      'JSON schema conversion',
      'JSON schema in format',
      'invalid format: ',
    ],
    cure: 'Set "outputFormat" of this model to "taught", and it is asked for JSON in words.',
    refuses: 'grammar',
  },
  {
    refusals: ["Use 'max_completion_tokens' instead"],
    cure: 'It needs the quirk "maxTokensField": "max_completion_tokens".',
    refuses: 'max_tokens',
  },
];

/** The longest part of an upstream's own words that is passed on, in UTF-16 units. */
const longestMessage = 1000;

/**
 * An upstream's error answer, on any wire. The status decides the code, unless the error's own code, type or known words
 * say more: that the prompt is too long, which agents must know to compact their history, or that the request is refused
 * for good under a status that everybody repeats. The message is passed on, bounded, with what can be done about it; a
 * page of HTML never is, nor what the upstream says about our credentials.
 */
export function readError(status: number, body: unknown): DragomanError {
  const fields = errorFields(body);
  const code = codeOf(fields, status);
  const upstreamStatus = status;
  // Upstreams quote parts of the key they refuse; the caller has no business with ours.
  if (code === 'upstream-unauthorized') return new DragomanError(code, refusedKey(status), { upstreamStatus });
  const transient = codeOfStatus(status) !== 'upstream-refused';
  const refused = code === 'upstream-refused' || code === 'context-too-long';
  // OpenCode goes by the number in a message: beside 429 and 5xx it repeats what is not worth it.
  const head = refused && transient ? 'The upstream refused the request' : `The upstream answered ${status}`;
  return told(code, { head, fields, body, status });
}

/**
 * The error inside a stream that began well, or of a whole body with status 200: nested under `error`, flat beside its
 * `type`, or inside the `response` that failed.
 */
export function readStreamError(value: unknown): DragomanError {
  const fields = errorFields(value);
  const beside = isObject(value) ? value.status_code : undefined;
  const status = [fields.code, fields.status, beside].find(isErrorStatus);
  if (status !== undefined) return readError(status, value);
  const code = codeOf(fields);
  if (code === 'upstream-unauthorized') return new DragomanError(code, refusedKey(200));
  return told(code, { head: 'The upstream reported an error', fields, body: value });
}

/** The error for a whole answer that is not what its wire calls `what`, such as "a chat completion": the one that it tells, if any. */
export function unreadableAnswer(body: unknown, what: string): DragomanError {
  if (isObject(body) && !isAbsent(body.error)) return readStreamError(body);
  const message = isObject(body) ? errorFields(body).message : '';
  return new DragomanError('upstream-unreadable', `The upstream's answer is not ${what}: ${wordsOf(message, body)}`);
}

interface ErrorFields {
  readonly message: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
}

/**
 * Servers put the error under `error` (an object or a string), into the body itself, or under `detail`. Ollama passes on
 * what the runner below it said as a string of JSON.
 */
function errorFields(value: unknown): ErrorFields {
  if (!isObject(value)) return { message: value };
  if (isObject(value.response) && isObject(value.response.error)) return fieldsOf(value.response.error);
  if (isObject(value.error)) return fieldsOf(value.error);
  const inner = typeof value.error === 'string' ? parsedObject(value.error) : undefined;
  if (inner !== undefined) return errorFields(inner);
  return { ...fieldsOf(value), message: value.error ?? value.message ?? value.detail };
}

function fieldsOf({ message, code, type, status }: JsonObject): ErrorFields {
  const inner = typeof message === 'string' ? parsedObject(message) : undefined;
  return inner === undefined ? { message, code, type, status } : errorFields(inner);
}

function parsedObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{') || text.length > 10 * longestMessage) return undefined;
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/** `status` is absent for an error that came with a good one. */
function codeOf(fields: ErrorFields, status?: number): ErrorCode {
  const transient = status === undefined || status === 408 || status === 429 || status >= 500;
  if (isOverflow(fields, status)) return 'context-too-long';
  if (saysOneOf(words.unpaid, fields)) return 'upstream-refused';
  if (saysOneOf(words.unauthorized, fields)) return 'upstream-unauthorized';
  if (saysOneOf(words.rateLimited, fields)) return 'upstream-rate-limited';
  if (saysOneOf(words.overloaded, fields)) return 'upstream-overloaded';
  if (transient && status !== 429 && isRefusal(fields)) return 'upstream-refused';
  return status === undefined ? 'upstream-failed' : codeOfStatus(status);
}

/** Too many bytes are too long a conversation, too: agents shorten it where they are told so. */
function isOverflow(fields: ErrorFields, status = 400): boolean {
  if (status === 413 || saysOneOf(words.overflow, fields)) return true;
  return [400, 422, 500].includes(status) && saysPhrase(overflowPhrases, fields);
}

function isRefusal(fields: ErrorFields): boolean {
  return (
    saysOneOf(words.refused, fields) ||
    saysOneOf(words.unknownModel, fields) ||
    knownRefusal(fields.message) !== undefined
  );
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600;
}

function saysOneOf(known: readonly unknown[], { code, type }: ErrorFields): boolean {
  return known.includes(code) || known.includes(type);
}

function saysPhrase(phrases: readonly string[], { message }: ErrorFields): boolean {
  if (typeof message !== 'string') return false;
  const start = message.slice(0, longestMessage).toLowerCase();
  return phrases.some((phrase) => start.includes(phrase));
}

function knownRefusal(message: unknown): (typeof remedies)[number] | undefined {
  if (typeof message !== 'string') return undefined;
  const start = message.slice(0, longestMessage);
  return remedies.find(({ refusals }) => refusals.some((refusal) => start.includes(refusal)));
}

interface Told {
  readonly head: string;
  readonly fields: ErrorFields;
  readonly body: unknown;
  readonly status?: number;
}

/** The upstream's own words, and after them what can be done about a refusal. */
function told(code: ErrorCode, { head, fields, body, status }: Told): DragomanError {
  const words = wordsOf(fields.message, body);
  const remedy = remedyFor(fields, status);
  const said: ServerWords = { words, ...(remedy?.own === undefined ? {} : { cure: remedy.own }) };
  return new DragomanError(code, withCure(`${head}: ${words}`, remedy?.operator), {
    upstreamStatus: status,
    said,
    refuses: remedy?.refuses,
  });
}

/** A sentence, and after it what can be done. */
export function withCure(sentence: string, cure: string | undefined): string {
  if (cure === undefined) return sentence;
  return '.!?…'.includes(sentence.slice(-1)) ? `${sentence} ${cure}` : `${sentence}. ${cure}`;
}

/** What can be done: by the operator of a gateway, and by whoever asks the server with a key of their own. */
interface Remedy {
  readonly operator: string;
  readonly own?: string;
  readonly refuses?: Refusal | undefined;
}

function remedyFor(fields: ErrorFields, status: number | undefined): Remedy | undefined {
  const known = knownRefusal(fields.message);
  if (known !== undefined) return { operator: known.cure, own: known.cure, refuses: known.refuses };
  if (status === 402 || saysOneOf(words.unpaid, fields)) {
    return {
      operator: "The account of the gateway's key cannot pay; the key of your client is not meant.",
      own: 'The account of the key cannot pay.',
    };
  }
  if (status === 404 || saysOneOf(words.unknownModel, fields)) {
    return { operator: "Check the model's name at this upstream, and its `baseUrl`." };
  }
  return undefined;
}

function refusedKey(status: number): string {
  return `The upstream refused the gateway's key (${status}); the key of your client is not meant. Check \`apiKey\` and \`headers\` of this upstream, and whether that key may use this model.`;
}

function wordsOf(message: unknown, body: unknown): string {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) {
    return 'a web page instead of JSON. Check the base URL, and whether the credentials are still valid.';
  }
  if (typeof message !== 'string' || message.trim() === '') return 'no message.';
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
}

/** What an upstream's status alone says, where its words say no more. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'upstream-unauthorized';
  if (status === 429) return 'upstream-rate-limited';
  // 529 is Anthropic's own number for it.
  if (status === 503 || status === 529) return 'upstream-overloaded';
  // 501 says that the server cannot do it, now or later.
  if ((status >= 500 && status !== 501) || status === 408) return 'upstream-failed';
  return 'upstream-refused';
}
