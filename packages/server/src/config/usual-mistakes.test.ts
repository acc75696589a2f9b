import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { configWarnings } from './config-warnings.ts';
import { createJsonSchema } from './json-schema.ts';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';
import type { Config } from './schema.ts';

function load(value: unknown): Config {
  const file = { name: 'dragoman.json', text: typeof value === 'string' ? value : JSON.stringify(value) };
  return loadConfig({ env: { SET: 'x' }, file });
}

/** What whoever wrote it is told, as mistakes or as warnings. */
function told(value: unknown): string {
  try {
    return configWarnings(load(value)).join('\n');
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
}

const local = (fields: object) => ({ upstreams: { local: { baseUrl: 'http://127.0.0.1:8080/v1', ...fields } } });
const rule = (fields: object) => local({ models: { m: fields } });

describe('a usual mistake is told with its cure', () => {
  it.each<[string, unknown, string]>([
    ['an address with the path of requests', local({ baseUrl: 'http://h/v1/chat/completions' }), 'write "http://h/v1"'],
    ['an address without /v1, known', local({ baseUrl: 'https://api.openai.com' }), '"https://api.openai.com/v1"'],
    ['an address without /v1, unknown', local({ baseUrl: 'http://gpu-box:9000' }), '"http://gpu-box:9000/v1"'],
    ['an address without scheme', local({ baseUrl: 'localhost:8080/v1' }), 'write "http://localhost:8080/v1"'],
    ['an address out of a variable', local({ baseUrl: 'http://$HOST/v1' }), 'write the address itself'],
    ['/v1 for the wire of Ollama', local({ wire: 'ollama-chat', baseUrl: 'http://h:1/v1' }), 'write "http://h:1"'],
    ['another name for the address', { upstreams: { local: { url: 'http://h/v1' } } }, 'did you mean "baseUrl"?'],
    ['$VAR', local({ apiKey: '$OPENAI_API_KEY' }), 'a variable is written as "env:OPENAI_API_KEY"'],
    [
      'a variable in braces',
      local({ apiKey: ['$', '{OPENAI_API_KEY}'].join('') }),
      'a variable is written as "env:OPENAI_API_KEY"',
    ],
    ['a variable within a header', local({ headers: { authorization: 'Bearer env:SET' } }), '"apiKey": "env:SET"'],
    ['a scheme in front of a key', local({ apiKey: 'Bearer abc' }), 'leave out "Bearer"'],
    ['a variable that is not set', local({ apiKey: 'env:NOT_SET' }), 'NOT_SET is not set; set it'],
    ['seconds for milliseconds', { timeouts: { total: 60 } }, 'for 60 seconds write 60000'],
    ['seconds at an upstream', local({ timeouts: { idle: 30 } }), 'for 30 seconds write 30000'],
    ['a time with its unit', { timeouts: { idle: '30s' } }, 'a whole number of milliseconds'],
    ['a short name of a wire', local({ wire: 'openai' }), 'did you mean "openai-chat"?'],
    ['another short name of a wire', local({ wire: 'anthropic' }), 'did you mean "anthropic-messages"?'],
    ['models as a list', local({ models: ['qwen3'] }), 'write "models": { "qwen3": {} }'],
    ['upstreams as a list', { upstreams: [{ baseUrl: 'http://h/v1' }] }, 'write "upstreams": { "local": {'],
    ['a word for a section', { log: 'debug' }, 'an object with some of "level", "format", "toolIntent", "file"'],
    ['a number for an upstream', { upstreams: { local: 5 } }, 'write "upstreams": { "local": {'],
    ['one text for a list', { cors: { origins: '*' } }, 'expected a list, found "*"; write ["*"]'],
    ['a key of what is in a dialect', { dialects: { mine: { form: 'json' } } }, 'known: "table", "responseTemplate"'],
    ['any model by a word', local({ anyModel: 'yes' }), 'write "anyModel": true'],
    ['a word that is near its opposite', { auth: { mode: 'on' } }, 'known: "auto", "required", "off"'],
    ['a header with a space', local({ headers: { 'x y': '1' } }), 'is not the name of a header'],
    ['keys as strings', { keys: ['abcdef'] }, 'write "keys": [{ "name": "me", "key": "env:OAI_API_KEY" }]'],
    ['another name for keys', { apiKeys: 'abcdef' }, 'did you mean "keys"?'],
    ['one key', { keys: 'abcdef' }, 'write "keys": [{ "name": "me", "key": "env:OAI_API_KEY" }]'],
    ['rules of models in the wrong place', { models: { m: {} } }, 'rules of a model are in its upstream'],
    ['an alias without its upstream', { ...rule({}), models: { a: 'm' } }, 'did you mean "local/m"?'],
    ['a default model without its upstream', { ...rule({}), defaultModel: 'm' }, 'did you mean "local/m"?'],
    ['a dialect as a word', rule({ toolCalling: 'hermes' }), 'did you mean { "dialect": "hermes" }?'],
    ['a dialect without toolCalling', rule({ dialect: 'hermes' }), 'did you mean "toolCalling"?'],
    ['another name for the window', rule({ context_length: 8192 }), 'did you mean "contextWindow"?'],
    ['a port at the top', { port: 8080 }, 'write "listen": { "port": … }'],
    ['a number in quotes', { listen: { port: '8080' } }, 'write 8080, without quotes'],
    ['a key for clients at the top', { apiKey: 'abcdef' }, '"keys": [{ "name": "me"'],
    ['an open door', { listen: { host: '0.0.0.0' } }, 'set OAI_API_KEY or "keys"'],
    ['two values at once', '{"demo":true,"demo":false}', 'is there twice; remove one'],
  ])('%s', (_, value, cure) => {
    expect(told(value)).toContain(cure);
    expect(told(value)).not.toContain('abcdef');
  });
});

describe('an address alone', () => {
  it('is a whole upstream, whose models are those of the server', () => {
    const { upstreams } = load({ upstreams: { local: 'http://127.0.0.1:8080/v1' } });
    expect(upstreams.local).toMatchObject({ wire: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1', models: {} });
    expect(upstreams.local?.anyModel).toMatchObject({ toolCalling: 'auto' });
    expect(upstreams).toEqual(load(local({})).upstreams);
    expect(upstreams).toEqual(load(local({ anyModel: true })).upstreams);
  });

  it('tells its wire where it is known', () => {
    const wireAt = (address: string) => load({ upstreams: { u: address } }).upstreams.u?.wire;
    expect(wireAt('http://127.0.0.1:11434')).toBe('ollama-chat');
    expect(wireAt('http://127.0.0.1:11434/v1')).toBe('openai-chat');
    expect(wireAt('https://api.anthropic.com/v1')).toBe('anthropic-messages');
  });

  it('is not open where it names models, or says so', () => {
    expect(load(rule({})).upstreams.local?.anyModel).toBeUndefined();
    expect(load(local({ anyModel: false })).upstreams.local?.anyModel).toBeUndefined();
  });

  it('is what editors take, too, and so is anyModel without a rule', () => {
    const check = new Ajv2020({ strict: false, formats: { uri: true } }).compile(createJsonSchema());
    for (const upstream of ['http://127.0.0.1:8080/v1', ...[true, false, {}].map((anyModel) => ({ anyModel }))]) {
      expect(check({ upstreams: { upstream } }), JSON.stringify(check.errors)).toBe(true);
    }
    expect(check({ upstreams: { upstream: { anyModel: 'yes' } } })).toBe(false);
  });

  it('may be the root of a server that has its API there, too, with a warning', () => {
    for (const baseUrl of ['http://127.0.0.1:8000', 'http://localhost:1234']) {
      expect(load({ upstreams: { u: baseUrl } }).upstreams.u).toMatchObject({ baseUrl });
      expect(told({ upstreams: { u: baseUrl } })).toContain(`at "${baseUrl}/v1"`);
    }
  });

  it('is still checked', () => {
    const words = 'u.baseUrl: must be an http:// or https:// address';
    expect(told({ upstreams: { u: 'not an address' } })).toContain(words);
    // That alone is said, and nothing of what an address tells.
    expect(told({ upstreams: { u: '127.0.0.1:80/v1' } })).toMatch(/^[^\n]*; write "http:\/\/127\.0\.0\.1:80\/v1"$/);
    expect(told({ upstreams: { u: 'http://127.0.0.1:99999/v1' } })).toMatch(
      /^[^\n]*u\.baseUrl: the port 99999 is too large/,
    );
    expect(told(local({ quirks: { noSuch: true } }))).toContain('the wire openai-chat has no such quirk');
  });
});
