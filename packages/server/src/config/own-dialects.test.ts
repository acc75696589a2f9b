import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectSample, dialects, planRequest } from '@dragoman/core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSetup } from './create-setup.ts';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';

let folder: string;
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-dialects-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  told = [];
});

const template = {
  start_anchor: '<|assistant|>',
  fields: { tool_calls: { open_pattern: '<c>\\s*<f=(?P<name>\\w+)>', close: '</c>', content: 'xml-inline' } },
};
const tagged = {
  ...template,
  fields: {
    tool_calls: {
      ...template.fields.tool_calls,
      content_args: { tag_pattern: '<p=(?P<key>\\w+)>(?P<value>.*?)</p>' },
      transform: { type: 'function', function: { name: '{name}', arguments: '{content}' } },
    },
  },
};

function config(dialects: unknown, rule: unknown = { toolCalling: { dialect: 'own' } }): string {
  const local = { wire: 'openai-chat', baseUrl: 'http://h', models: { m: rule } };
  return JSON.stringify({ upstreams: { local }, dialects }, null, 2);
}

function setUp(text: string) {
  const config = loadConfig({ env: {}, file: { name: 'c.json', text } });
  const report = (message: string) => void told.push(message);
  return createSetup(config, { env: {}, cwd: folder, report }).setup;
}

function complaints(text: string): readonly string[] {
  try {
    setUp(text);
    return [];
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.split('\n');
    throw thrown;
  }
}

const table = { call: { form: 'json', opener: '<call>', closer: '</call>' } };

describe('dialects of the configuration', () => {
  it('are planned and rendered by the name that a model rule calls them', () => {
    const setup = setUp(config({ own: { table } }, { toolCalling: { dialect: 'own' }, alsoReads: ['own', 'hermes'] }));
    const request = { ...emptyRequest, model: 'local/m' };
    expect(planRequest(request, setup)).toMatchObject({ toolCalling: 'own', dialect: 'own' });
    const call = { callId: 'c', name: 'now', arguments: '{}', ordinal: 0 };
    expect(setup.dialects?.get('own')?.renderCalls([call], [])).toBe('<call>{"name": "now", "arguments": {}}</call>');
  });

  it('may be a response template, in the configuration or in a file of the tokenizer', () => {
    writeFileSync(
      join(folder, 'tokenizer_config.json'),
      JSON.stringify({ eos_token: '</s>', response_template: tagged }),
    );
    writeFileSync(join(folder, 'template.json'), JSON.stringify(tagged));
    const sources = { own: tagged, whole: 'template.json', field: 'tokenizer_config.json' };
    const entries = Object.entries(sources).map(([id, responseTemplate]) => [id, { responseTemplate }]);
    const setup = setUp(config(Object.fromEntries(entries)));
    const call = { callId: 'c', name: 'read', arguments: '{"path":"a"}', ordinal: 0 };
    const written = [...(setup.dialects?.values() ?? [])].map((dialect) => dialect.renderCalls([call], []));
    expect(new Set(written)).toEqual(new Set(['<c>\n<f=read>\n<p=path>a</p>\n</f>\n</c>']));
    expect(told).toContain(
      'dialects.own: fields.tool_calls: the template does not say what closes "<f="; "</f>" is assumed',
    );
  });

  it('may be the table of any built-in one', () => {
    const tables = [...dialects].map(([id, { table }]) => [`own-${id}`, { table }]);
    const setup = setUp(JSON.stringify({ dialects: Object.fromEntries(tables) }));
    for (const [id, dialect] of dialects) {
      const own = setup.dialects?.get(`own-${id}`) ?? expect.fail(id);
      expect(dialectSample(own)).toEqual(dialectSample(dialect));
    }
  });

  it('are refused with place and remedy', () => {
    expect(complaints(config({ own: {} }))).toEqual([
      'c.json:16:5: dialects.own: needs one of "table" and "responseTemplate"',
    ]);
    expect(complaints(config({ hermes: { table } }, {}))[0]).toContain('is the name of a built-in dialect');
    expect(complaints(config({ onw: { table } }))[0]).toMatch(
      /toolCalling\.dialect: "own" is unknown; .*did you mean "onw"\?$/,
    );
    expect(complaints(config({ own: { table } }, { alsoReads: ['x1'] }))[0]).toContain('alsoReads[0]: "x1" is unknown');
    const wrong = (call: unknown) => complaints(config({ own: { table: { call } } })).join();
    expect(wrong({ ...table.call, opener: '', keyed: true })).toMatch(
      /^c\.json:20:11: dialects\.own\.table\.call\.opener: must not be empty/,
    );
    expect(wrong({ ...table.call, form: 'jsn' })).toMatch(
      /dialects\.own\.table\.call\.form: must be one of json, header, .*; did you mean "json"\?$/,
    );
    expect(wrong({ ...table.call, opner: '' })).toMatch(/call\.opner: is unknown; known: .*; did you mean "opener"\?$/);
    expect(wrong({ form: 'tags', opener: '<f=' })).toContain('dialects.own.table.call.end: is missing');
    expect(wrong('<call>')).toContain('dialects.own.table.call: must be an object');
    const pattern = {
      ...tagged,
      fields: { tool_calls: { ...tagged.fields.tool_calls, open_pattern: '<c>.*(?P<name>a)' } },
    };
    expect(complaints(config({ own: { responseTemplate: pattern } }))[0]).toMatch(
      /^c\.json:\d+:13: dialects\.own\.responseTemplate\.fields\.tool_calls\.open_pattern: .* stands for any text/,
    );
  });

  it('and so are files', () => {
    const file = (text: string | undefined) => {
      if (text !== undefined) writeFileSync(join(folder, 'x.json'), text);
      return complaints(config({ own: { responseTemplate: 'x.json' } }))[0];
    };
    expect(file(undefined)).toBe(`dialects.own.responseTemplate: the file ${join(folder, 'x.json')} is not there`);
    expect(file('{')).toContain('is not JSON');
    expect(file('7')).toContain('holds no object');
    expect(file('{"chat_template": ""}')).toContain('has no "response_template"; `dragoman derive` reads');
    expect(file('{"response_template": {"fields": {}}}')).toBe(
      'dialects.own.responseTemplate.fields.tool_calls: x.json: is missing; a model without calls needs no dialect',
    );
  });
});

const emptyRequest = {
  messages: [],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  stream: true,
  includeUsage: false,
  sampling: {},
  extra: {},
  warnings: [],
} as const;
