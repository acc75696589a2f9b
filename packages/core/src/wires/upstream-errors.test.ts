import { describe, expect, it } from 'vitest';
import { errorKindOf, errorKinds } from '../error-kinds.ts';
import { DragomanError, type ErrorCode } from '../errors.ts';
import { readError, readStreamError } from './read-upstream-error.ts';
import { writeOpenaiError } from './write-openai-error.ts';

describe('writeOpenaiError', () => {
  it('A-015 writes message, type, param and code as strings for every code', () => {
    const codes = Object.keys(errorKinds).filter((code): code is ErrorCode => code in errorKinds);
    for (const code of codes) {
      const { error } = writeOpenaiError(new DragomanError(code, 'words'));
      expect(error).toEqual({ message: 'words', type: expect.any(String), param: '', code: expect.any(String) });
      expect(error.code).not.toContain('-');
    }
  });

  it.each([
    ['context-too-long', 'invalid_request_error', 'context_length_exceeded'],
    ['model-unknown', 'not_found_error', 'model_not_found'],
    ['invalid-tool-results', 'invalid_request_error', 'invalid_tool_results'],
    ['key-missing', 'authentication_error', 'key_missing'],
    ['key-wrong', 'permission_error', 'invalid_api_key'],
    ['page-refused', 'permission_error', 'page_refused'],
    ['upstream-rate-limited', 'rate_limit_error', 'rate_limit_exceeded'],
  ] as const)('A-011 B-114 says %s in the words that clients know', (code, type, word) => {
    expect(writeOpenaiError(new DragomanError(code, 'x', { param: 'messages[0]' })).error).toEqual({
      message: 'x',
      type,
      param: 'messages[0]',
      code: word,
    });
  });
});

describe('readError', () => {
  it.each([
    [400, {}, 'upstream-refused'],
    [401, {}, 'upstream-unauthorized'],
    [403, {}, 'upstream-unauthorized'],
    [404, {}, 'upstream-refused'],
    [408, {}, 'upstream-failed'],
    [429, {}, 'upstream-rate-limited'],
    [500, {}, 'upstream-failed'],
    [503, 'busy', 'upstream-overloaded'],
    [400, { error: { code: 'context_length_exceeded', message: 'x' } }, 'context-too-long'],
    [500, { error: { type: 'exceed_context_size_error', message: 'x' } }, 'context-too-long'],
    [400, { error: { code: 400, message: "This model's maximum context length is 4096 tokens." } }, 'context-too-long'],
    [400, { message: 'the request exceeds the available context size' }, 'context-too-long'],
    [500, { message: 'the request exceeds the available context size' }, 'context-too-long'],
    [503, { message: 'busy: the last request exceeds the available context size' }, 'upstream-overloaded'],
    [413, 'request entity too large', 'context-too-long'],
    [
      400,
      { error: JSON.stringify({ error: { type: 'exceed_context_size_error', message: 'x' } }) },
      'context-too-long',
    ],
    [500, { error: { code: 500, message: 'image input is not supported - hint: mmproj' } }, 'upstream-refused'],
    [500, { error: { code: 500, message: 'tools param requires --jinja flag' } }, 'upstream-refused'],
    [500, { error: { type: 'invalid_request_error', message: 'x' } }, 'upstream-refused'],
    [501, { error: { type: 'not_supported_error', message: 'x' } }, 'upstream-refused'],
    [429, { error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'x' } }, 'upstream-refused'],
    [429, { error: { type: 'invalid_request_error', message: 'Too many.' } }, 'upstream-rate-limited'],
    [503, { error: { type: 'unavailable_error', message: 'Loading model' } }, 'upstream-overloaded'],
  ] as const)('maps %i with %j to %s', (status, body, code) => {
    expect(readError(status, body)).toMatchObject({ code, upstreamStatus: status });
  });

  it.each<[unknown, string]>([
    [{ error: { message: 'too hot' } }, 'too hot'],
    [{ error: 'too hot' }, 'too hot'],
    [{ message: 'too hot' }, 'too hot'],
    [{ detail: 'too hot' }, 'too hot'],
    ['too hot', 'too hot'],
    [null, 'no message'],
    [{ error: { message: 'x'.repeat(5000) } }, '…'],
  ])('passes on the words of %j', (body, words) => {
    const { message } = readError(400, body);
    expect(message).toContain(words);
    expect(message.length).toBeLessThan(1100);
  });

  it('B-094 never quotes a web page and hints at credentials', () => {
    const { message } = readError(502, '\n<!doctype html><p>secret');
    expect(message).toContain('credentials');
    expect(message).not.toContain('secret');
  });

  it('keeps to itself what an upstream says about our credentials', () => {
    const error = readError(401, { error: { message: 'Incorrect API key provided: sk-abc***xyz' } });
    expect(error.message).not.toContain('sk-abc');
    expect(error.message).toContain("refused the gateway's key");
  });

  it.each([
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'tool_choice="required" requires --tool-call-parser to be set',
    'tool_choice=function "get_weather" requires --tool-call-parser to be set',
    'registry.ollama.ai/library/gemma:2b does not support tools',
    'tools param requires --jinja flag',
    'Unsupported param: tools',
    'tools param is not fully supported yet',
    'No endpoints found that support tool use. Try disabling "read".',
    'deepseek-reasoner does not support Function Calling',
    'Function calling is not enabled for models/gemma-3-27b-it',
    '`tool calling` is not supported with this model',
  ])('says what to do where the server refuses tools: %s', (message) => {
    const error = readError(400, { error: { message } });
    expect(error.message).toContain(message);
    expect(error.message).toContain('"toolCalling" of this model');
    expect(error.refuses).toBe('tools');
    expect(readError(400, { error: { message: 'tools[0].name is missing' } }).message).not.toContain('toolCalling');
  });

  it.each([
    'This model does not support response format `json_schema`.',
    "'response_format.type' : value is not one of the allowed values ['text','json_object']",
    'invalid schema for response format: response_format/json_schema/next_step: minItems is not supported',
    "Invalid schema for response_format 'reply': schema must be a JSON Schema of 'type: \"object\"'",
    "JSON Schema not supported: could not understand the instance `{'required': ['criteria']}`.",
    'JSON mode is not enabled for models/gemma-3-27b-it',
    'This response_format type is unavailable now',
  ])('knows that the server takes no such schema, and is asked without: %s', (message) => {
    expect(readError(400, { error: { message, type: 'invalid_request_error' } }).refuses).toBe('grammar');
  });

  it.each([
    "Unsupported value: 'stream' does not support true with this model. Supported values are: false.",
    "This model doesn't support tool use in streaming mode.",
  ])('a refusal to stream names the quirk that does without: %s', (message) => {
    const error = readError(400, { error: { message, type: 'invalid_request_error', param: 'stream' } });
    expect(error.code).toBe('upstream-refused');
    expect(error.message).toBe(
      `The upstream answered 400: ${message} With the quirk "noStream" it is asked for whole answers.`,
    );
  });

  it.each([
    [402, {}, "The account of the gateway's key cannot pay"],
    [429, { error: { code: 'insufficient_quota' } }, 'cannot pay'],
    [404, {}, "Check the model's name at this upstream, and its `baseUrl`."],
    [401, {}, 'the key of your client is not meant'],
    [403, {}, 'whether that key may use this model'],
    [500, { error: { message: 'image input is not supported' } }, 'Send no images to this model'],
    [
      400,
      {
        error: {
          message: "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
        },
      },
      '"maxTokensField": "max_completion_tokens"',
    ],
  ] as const)('%i with %j says what can be done', (status, body, cure) => {
    const error = readError(status, body);
    expect(error.message).toContain(cure);
    expect(errorKindOf(error)).toMatchObject({ status: 400, retryable: false });
  });

  it.each([
    "This model's maximum context length is 2048 tokens. However, you requested 12010 tokens.",
    'the request exceeds the available context size (4096 tokens)',
    'the input length exceeds the context length',
    'prompt is too long: 9 tokens > 8 maximum',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
    'Input is too long for requested model.',
    'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    'Please reduce the length of the messages or completion.',
    'Prompt contains 300000 tokens, too large for model with 131072 maximum context length',
    "The input (265330 tokens) is longer than the model's context length (262144 tokens).",
    'tokens to keep from the initial prompt is greater than the context length',
    'invalid params, context window exceeds limit',
    'Your request exceeded model token limit: 262144 (requested: 300000)',
    'Range of input length should be [1, 129024]',
    'prompt too long; exceeded max context length by 4096 tokens',
  ])('knows that the prompt is too long: %s', (message) => {
    expect(readError(400, { error: { message } }).code).toBe('context-too-long');
    expect(readStreamError({ error: { message } }).code).toBe('context-too-long');
    expect(readError(429, { error: { message } }).code).toBe('upstream-rate-limited');
  });

  it('keeps a refused request a mistake of the request, which SDKs do not repeat', () => {
    const error = readError(400, { message: 'tools are not supported' });
    expect(errorKindOf(error)).toMatchObject({ status: 400, retryable: false });
  });
});

describe('readStreamError', () => {
  it('decides by status, code or type of the error, not by its words', () => {
    expect(readStreamError({ error: { message: 'context_length_exceeded' } }).code).toBe('upstream-failed');
    expect(readStreamError({ error: { message: 'x', code: 401 } }).code).toBe('upstream-unauthorized');
    expect(readStreamError({ error: { type: 'rate_limit_error' } }).code).toBe('upstream-rate-limited');
    expect(readStreamError({ error: { type: 'invalid_request_error' } }).code).toBe('upstream-refused');
    expect(readStreamError({ error: 'full', status_code: 503 }).code).toBe('upstream-overloaded');
  });
});

it('only what may pass by itself has a status that agents and SDKs repeat', () => {
  for (const [code, { status, blame, retryable }] of Object.entries(errorKinds)) {
    if (blame === 'gateway') continue;
    expect([code, [409, 429].includes(status) || status >= 500]).toEqual([code, retryable]);
  }
});
