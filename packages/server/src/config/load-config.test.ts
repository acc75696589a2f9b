import { describe, expect, it } from 'vitest';
import { isLoopback, type LoadOptions, loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';
import type { Config } from './schema.ts';

function load(text: string | undefined, options: Partial<LoadOptions> = {}): Config {
  const file = text === undefined ? {} : { file: { name: 'dragoman.json', text } };
  return loadConfig({ env: {}, ...file, ...options });
}

function complaints(text: string | undefined, options: Partial<LoadOptions> = {}): string[] {
  try {
    load(text, options);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.split('\n');
    throw thrown;
  }
  return [];
}

const minimal = `{
  // A comment, and a trailing comma below.
  "listen": { "host": "127.0.0.1", "port": 8080 },
  "keys": [{ "name": "me", "key": "env:OAI_API_KEY" }],
  "upstreams": { "local": { "wire": "openai-chat", "baseUrl": "http://127.0.0.1:8080/v1", "apiKey": "env:LOCAL_KEY",
      "models": { "qwen2.5-7b": { "toolCalling": { "dialect": "hermes" }, "systemText": "first-user", "contextWindow": 32768 } } } },
  "models": { "gpt-4o": "local/qwen2.5-7b" },
}`;
const secrets = { OAI_API_KEY: 'one-key', LOCAL_KEY: 'other-key' };

describe('loadConfig', () => {
  it('reads the documented minimal shape and fills in every default', () => {
    const config = load(minimal, { env: secrets });
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 8080 });
    expect(config.models).toEqual({ 'gpt-4o': 'local/qwen2.5-7b' });
    expect(config.upstreams.local?.models['qwen2.5-7b']).toMatchObject({
      toolCalling: { dialect: 'hermes' },
      systemText: 'first-user',
      contextWindow: 32768,
      callDeltas: 'eager',
      results: { format: 'native', mode: 'lenient' },
    });
    expect(config).toMatchObject({ demo: true, toolCalling: true, limits: { tools: 128 } });
  });

  it('A-009: listens on 127.0.0.1:11434 without any configuration', () => {
    expect(load(undefined).listen).toEqual({ host: '127.0.0.1', port: 11434 });
  });

  it('A-009: flag over environment over file over default', () => {
    const file = '{ "listen": { "port": 1001 } }';
    expect(load(file).listen.port).toBe(1001);
    expect(load(file, { env: { DRAGOMAN_PORT: '1002' } }).listen.port).toBe(1002);
    expect(load(file, { env: { DRAGOMAN_PORT: '1002' }, flags: { port: 1003 } }).listen.port).toBe(1003);
  });

  it('names every mistake in one pass, each with line, reason and nearest name', () => {
    const text = `{
  "listn": { "port": 1 },
  "listen": { "port": "x", "hst": "h" },
  "upstreams": {
    "local": {
      "wire": "openai-caht",
      "baseUrl": "ftp://x",
      "models": { "m": { "toolCalling": { "dialect": "hermse" }, "sytemText": "both", "images": 3 } }
    }
  },
  "models": { "a": "local/n" },
  "defaultModel": "demo/hermess",
  "keys": [{ "name": "k", "key": "env:NOT_SET" }]
}`;
    expect(complaints(text)).toEqual([
      'dragoman.json:2:3: listn: unknown key; did you mean "listen"?',
      'dragoman.json:3:15: listen.port: expected a number, found "x"',
      'dragoman.json:3:28: listen.hst: unknown key; did you mean "host"?',
      expect.stringMatching(/^dragoman\.json:6:7: upstreams\.local\.wire: .*did you mean "openai-chat"\?$/),
      'dragoman.json:7:7: upstreams.local.baseUrl: must be an http:// or https:// address',
      expect.stringMatching(/^dragoman\.json:8:43: .*toolCalling\.dialect: .*did you mean "hermes"\?$/),
      'dragoman.json:8:66: upstreams.local.models.m.sytemText: unknown key; did you mean "systemText"?',
      'dragoman.json:8:87: upstreams.local.models.m.images: expected true or false, found 3',
      'dragoman.json:11:15: models.a: "local/n" is not a configured model; did you mean "local/m"?',
      'dragoman.json:12:3: defaultModel: "demo/hermess" is not a configured model; did you mean "demo/hermes"?',
      expect.stringMatching(/^dragoman\.json:13:27: keys\[0\]\.key: the environment variable NOT_SET is not set/),
    ]);
  });

  it('says of an upstream without an address only that', () => {
    expect(complaints('{"upstreams":{"local":{"url":"http://h/v1"}}}')).toEqual([
      expect.stringContaining('upstreams.local.baseUrl: is missing'),
      expect.stringContaining('upstreams.local.url: unknown key; did you mean "baseUrl"?'),
    ]);
  });

  it('leads a slip to the alias that is meant, and any other name to the upstream that takes any', () => {
    const chosen = (name: string) =>
      complaints(
        `{"upstreams":{"local":{"baseUrl":"http://127.0.0.1:1/v1"}},"models":{"small":"local/m"},"defaultModel":"${name}"}`,
      );
    expect(chosen('smal')).toEqual([
      expect.stringContaining('"smal" is not a configured model; did you mean "small"?'),
    ]);
    expect(chosen('qwen2.5')).toEqual([expect.stringContaining('did you mean "local/qwen2.5"?')]);
  });

  it('names the upstreams, or the models of one, where an alias leads to none', () => {
    const of = (target: string) =>
      complaints(
        `{"upstreams":{"local":{"baseUrl":"http://127.0.0.1:1/v1","models":{"mistral":{}}}},"models":{"a":"${target}"}}`,
      );
    const start = (target: string) => `dragoman.json:1:94: models.a: "${target}" is not a configured model`;
    expect(of('nowhere/x')).toEqual([`${start('nowhere/x')}: there is no upstream "nowhere"; known: "local"`]);
    expect(of('locl/mistral')).toEqual([`${start('locl/mistral')}; did you mean "local/mistral"?`]);
    expect(of('local/qwen')).toEqual([`${start('local/qwen')}; known: "local/mistral"`]);
  });

  it('tells a wrong toolCalling word from a wrong object', () => {
    const rule = (toolCalling: string) =>
      complaints(
        `{"upstreams":{"u":{"wire":"openai-chat","baseUrl":"http://h","models":{"m":{"toolCalling":${toolCalling}}}}}}`,
      );
    expect(rule('"natve"')[0]).toContain('did you mean "native"?');
    expect(rule('"hermes"')[0]).toContain('did you mean { "dialect": "hermes" }?');
    expect(rule('{"dialct":"hermes"}').join()).toContain('did you mean "dialect"?');
    expect(rule('7')[0]).toContain('expected one of "auto", "native", "text", an object');
  });

  it('tells that a key belongs to another form of a table', () => {
    const call = { form: 'header', opener: '<c>', separator: '<a>', closer: '</c>', parameter: { opener: '<p>' } };
    const found = complaints(JSON.stringify({ dialects: { own: { table: { call } } } }));
    expect(found.join()).toContain('parameter: has no meaning in this form');
  });

  it('E-080: names the nearest dialect, and takes `auto` for all of them', () => {
    const wrong = (model: object) =>
      complaints(
        JSON.stringify({ upstreams: { u: { wire: 'openai-chat', baseUrl: 'http://h', models: { m: model } } } }),
      );
    expect(wrong({ toolCalling: { dialect: 'hermse' } })[0]).toContain('did you mean "hermes"?');
    expect(wrong({ alsoReads: ['any'] })[0]).toContain('alsoReads[0]');
    expect(complaints('{"dialects":{"any":{"table":{"call":{"form":"python","opener":"<"}}}}}')[0]).toContain(
      'dialects.any',
    );
    // "auto" has one meaning: what fits is found out.
    expect(wrong({ toolCalling: { dialect: 'auto' } })[0]).toContain('toolCalling.dialect: "auto" is unknown');
  });

  it('places mistakes in the JSON itself, and keys that stand twice', () => {
    expect(complaints('{\n  "upstreams": { "local": {\n    "baseUrl": "http://h"\n')).toEqual([
      'dragoman.json:3:26: not valid JSON: close brace expected',
    ]);
    expect(complaints('{\n  "listen": {,}\n}')[0]).toMatch(/^dragoman\.json:2:14: not valid JSON: /);
    expect(complaints('')).toEqual(['dragoman.json:1:1: the file is empty']);
    expect(complaints('[]')[0]).toContain('expected an object, found a list');
    expect(complaints('{"demo":true,\n"demo":false}')).toEqual([
      expect.stringContaining('dragoman.json:2:1: demo: is there twice; remove one'),
    ]);
  });

  it('does not quote long values, which may be keys in the wrong place', () => {
    const [line] = complaints(`{"demo": "sk-${'x'.repeat(40)}"}`);
    expect(line).toContain('found a string');
    expect(line).not.toContain('xxxx');
  });

  it('lets an alias lead over one other alias, and default models be aliases or open names', () => {
    expect(complaints('{"models":{"a":"demo","b":"a","c":"demo/hermes"},"defaultModel":"c"}')).toHaveLength(1);
    expect(complaints('{"models":{"a":"demo","c":"demo/hermes"},"defaultModel":"c"}')).toEqual([]);
    const open =
      '{"upstreams":{"u":{"wire":"openai-chat","baseUrl":"http://h","anyModel":{}}},"defaultModel":"u/what/ever"}';
    expect(complaints(open)).toEqual([]);
  });

  it('checks quirks against the wire of the upstream: names, types and values', () => {
    const found = (wire: string, quirks: unknown) =>
      complaints(JSON.stringify({ upstreams: { u: { wire, baseUrl: 'http://h', quirks } } })).map((line) =>
        line.replace(/^dragoman\.json:1:\d+: upstreams\.u\./, ''),
      );
    expect(found('openai-chat', { noStreamOptions: true, maxTokensField: 'max_completion_tokens' })).toEqual([]);
    expect(found('anthropic-messages', { maxTokens: 8192 })).toEqual([]);
    expect(found('openai-chat', { noStreamOption: true })).toEqual([
      'quirks.noStreamOption: the wire openai-chat has no such quirk; did you mean "noStreamOptions"?',
    ]);
    expect(found('openai-chat', { maxTokens: 1 })).toEqual([
      'quirks.maxTokens: the wire openai-chat has no such quirk; it is one of anthropic-messages',
    ]);
    expect(found('ollama-chat', { constructor: true })).toEqual([
      'quirks.constructor: the wire ollama-chat has no such quirk; known: noStream, noThink, thinkLevels, callIds, mergeRoles',
    ]);
    expect(found('openai-chat', { noStreamOptions: 'yes', maxTokensField: 'max_token' })).toEqual([
      'quirks.noStreamOptions: expected true or false, found "yes"',
      'quirks.maxTokensField: "max_token" is unknown; known: "max_tokens", "max_completion_tokens"; did you mean "max_tokens"?',
    ]);
    expect(found('anthropic-messages', { maxTokens: 0.5 })).toEqual([
      'quirks.maxTokens: expected a whole number from 1, found 0.5',
    ]);
    expect(found('anthropic-messages', { maxTokens: [1] })).toEqual([
      expect.stringContaining('quirks.maxTokens: a list'),
    ]);
    expect(found('openai-caht', { maxTokens: 1 })).toHaveLength(1);
  });

  it('says where a chain of aliases breaks, and how to repair it', () => {
    expect(complaints('{"models":{"a":"b","b":"c","c":"demo/hermes"}}')).toEqual([
      'dragoman.json:1:12: models.a: leads to the alias "b", which leads to another alias; one alias on the way is the most; write "c" here',
    ]);
    expect(complaints('{"models":{"a":"a"}}')[0]).toContain('models.a: leads to itself');
    expect(complaints('{"models":{"a":"b","b":"nothing/at-all"},"findUpstreams":false}')).toEqual([
      expect.stringContaining('models.a: leads to the alias "b", which leads to no model'),
      expect.stringContaining('models.b: "nothing/at-all" is not a configured model'),
    ]);
  });

  it('places mistakes in who may come in, unless the file is not to blame', () => {
    const text = '{\n  "listen": { "host": "0.0.0.0" },\n  "auth": { "mode": "off" }\n}';
    expect(complaints(text)[0]).toMatch(/^dragoman\.json:3:13: auth\.mode: /);
    expect(complaints('{\n  "listen": { "host": "0.0.0.0" }\n}')[0]).toMatch(/^dragoman\.json:2:15: listen\.host: /);
    expect(complaints('{}', { flags: { host: '0.0.0.0' } })[0]).toMatch(/^listen\.host: /);
  });

  it('tells that durations are milliseconds', () => {
    const [line] = complaints('{"timeouts":{"idle":"30s"}}');
    expect(line).toContain('timeouts.idle: expected a whole number of milliseconds, found "30s"');
    expect(complaints('{"timeouts":{"idle":0.5}}')[0]).toContain('whole number of milliseconds');
  });

  it.each([
    ['{"keys":[{"name":"k","key":1234567890}]}', 'keys[0].key: expected a string, found a number'],
    ['{"keys":"sk-short"}', 'keys: expected a list, found a string'],
    ['{"upstreams":{"u":{"wire":"openai-chat","baseUrl":"http://h","apiKey":987654}}}', 'found a number'],
    ['{"upstreams":{"u":{"wire":"openai-chat","baseUrl":"http://h","headers":{"x":true}}}}', 'found a boolean'],
  ])('never repeats what is where keys do: %s', (text, expected) => {
    const lines = complaints(text).join('\n');
    expect(lines).toContain(expected);
    for (const secret of ['1234567890', 'sk-short', '987654']) expect(lines).not.toContain(secret);
  });

  it.each(['example.org', 'https://example.org/', 'https://example.org/app', 'localhost:3000', ''])(
    'an origin of pages has a scheme and no path: %j',
    (origin) => {
      expect(complaints(JSON.stringify({ cors: { origins: [origin] } }))[0]).toContain(
        'must be an origin with its scheme',
      );
      const good = ['*', 'https://example.org', 'http://localhost:3000', 'app://obsidian.md', 'vscode-webview://x1'];
      expect(complaints(JSON.stringify({ cors: { origins: good } }))).toEqual([]);
    },
  );

  it('a file that is nested thousands deep is one clear line', () => {
    const place = 'dragoman.json:1:101: nested deeper than 100 levels';
    expect(complaints('['.repeat(50_000))).toEqual([place]);
    expect(complaints(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toEqual([place]);
    expect(complaints(`{"defaultModel":"${'['.repeat(200)}","findUpstreams":false}`)[0]).not.toContain('nested');
  });

  it('keeps the name of the demo for the demo', () => {
    const text = '{"upstreams":{"demo":{"wire":"openai-chat","baseUrl":"http://h"}}}';
    expect(complaints(text)[0]).toContain('set "demo": false');
    expect(complaints(text.replace('{', '{"demo":false,'))).toEqual([]);
  });

  it('A-264 A-011: a public address without a key is refused before anything listens', () => {
    expect(complaints('{"listen":{"host":"0.0.0.0"}}')[0]).toMatch(/^dragoman\.json:1:12: listen\.host: .*no key/);
    expect(complaints('{"listen":{"host":"0.0.0.0"}}', { env: { OAI_API_KEY: 'k1' } })).toEqual([]);
    expect(complaints('{"listen":{"host":"0.0.0.0"},"auth":{"mode":"off"}}')[0]).toContain('loopback only');
    expect(complaints('{"auth":{"mode":"required"}}')[0]).toContain('needs a key');
    expect(complaints(undefined, { flags: { host: '0.0.0.0' } })[0]).toContain('no key');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['192.168.1.5', false],
    ['127.0.0.1.evil.example', false],
    ['::', false],
  ])('knows whether %s is loopback', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe('environment', () => {
  it('A-010: OAI_API_KEY adds a key', () => {
    expect(load(undefined, { env: { OAI_API_KEY: 'k1' } }).keys).toMatchObject([{ name: 'OAI_API_KEY', key: 'k1' }]);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['0', false],
    ['1', true],
    ['TRUE', true],
  ])('B-130 B-131: TOOL_CALLING_ENABLED and ENABLE_TOOL_CALLING read %s', (text, expected) => {
    expect(load(undefined).toolCalling).toBe(true);
    expect(load(undefined, { env: { TOOL_CALLING_ENABLED: text } }).toolCalling).toBe(expected);
    expect(load(undefined, { env: { ENABLE_TOOL_CALLING: text } }).toolCalling).toBe(expected);
  });

  it('B-139: an unusable variable refuses the start and is named', () => {
    for (const text of ['abc', '', '12.5', '-1', '1e3', '0']) {
      const found = complaints(undefined, { env: { TOOL_CALLING_MAX_TOOLS: text } });
      if (text === '') expect(found).toEqual([]);
      else expect(found[0]).toMatch(/^TOOL_CALLING_MAX_TOOLS: expected a whole number/);
    }
    expect(complaints(undefined, { env: { ENABLE_TOOL_CALLING: 'maybe' } })[0]).toMatch(/^ENABLE_TOOL_CALLING: /);
    expect(complaints(undefined, { env: { LOG_LEVEL: 'inof' } })[0]).toContain('did you mean "info"?');
    expect(complaints(undefined, { env: { DRAGOMAN_PORT: '70000', LOG_LEVEL: 'x' } })).toHaveLength(2);
  });

  it('B-133: TOOL_CALLING_MAX_TOOLS sets the limit', () => {
    expect(load(undefined, { env: { TOOL_CALLING_MAX_TOOLS: '20' } }).limits.tools).toBe(20);
  });

  it('reads the other documented names, and our own name wins', () => {
    const env = {
      ENABLE_SYSTEM_INJECTION: 'false',
      TOOL_CALLING_AUTO_DETECT: 'false',
      LOG_LEVEL: 'debug',
      DRAGOMAN_LOG_LEVEL: 'warn',
      DRAGOMAN_DEFAULT_MODEL: 'demo',
    };
    const config = load(undefined, { env });
    expect(config).toMatchObject({ systemInjection: false, defaultModel: 'demo' });
    expect(config.log).toMatchObject({ level: 'warn', toolIntent: false });
    const finds = 'DRAGOMAN_FIND_UPSTREAMS';
    const complaint = complaints(undefined, { env: { DRAGOMAN_DEFAULT_MODEL: 'dmeo', [finds]: 'off' } })[0];
    expect(complaint).toContain('did you mean "demo"?');
    // What will be found nobody knows yet.
    expect(load(undefined, { env: { DRAGOMAN_DEFAULT_MODEL: 'qwen3:8b' } }).defaultModel).toBe('qwen3:8b');
  });

  it('upstreams are looked for where the file names none, unless it says otherwise', () => {
    const upstreams = '{"upstreams":{"u":"http://h:8080/v1"}';
    expect(load('{}').findUpstreams).toBe(true);
    expect(load(`${upstreams}}`).findUpstreams).toBe(false);
    expect(load(`${upstreams},"findUpstreams":true}`).findUpstreams).toBe(true);
    expect(load('{}', { env: { DRAGOMAN_FIND_UPSTREAMS: 'no' } }).findUpstreams).toBe(false);
  });

  it('an upstream by its address, and its key, which clients then cannot use', () => {
    const env = {
      DRAGOMAN_UPSTREAM: 'http://10.0.0.5:8080/v1',
      DRAGOMAN_API_KEY: 'k-upstream',
      OAI_API_KEY: 'k-client',
    };
    const config = load('{}', { env });
    expect(config.upstreams.upstream).toMatchObject({
      baseUrl: 'http://10.0.0.5:8080/v1',
      wire: 'openai-chat',
      apiKey: 'env:DRAGOMAN_API_KEY',
    });
    expect([config.keys.map(({ key }) => key), config.findUpstreams]).toEqual([['k-client'], true]);
    const open = load('{}', { env: { DRAGOMAN_UPSTREAM: env.DRAGOMAN_UPSTREAM } }).upstreams.upstream;
    expect([open?.apiKey, open?.anyModel !== undefined]).toEqual([undefined, true]);
    const [complaint] = complaints('{}', { env: { DRAGOMAN_UPSTREAM: '10.0.0.5:8080' } });
    expect(complaint).toContain('DRAGOMAN_UPSTREAM: expected an address such as');
  });
});
