import { describe, expect, it } from 'vitest';
import { createSetup } from '../config/create-setup.ts';
import type { Overrides } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { banner } from './banner.ts';
import type { KeyHint } from './key-hint.ts';

function print(config: object, key?: KeyHint, flags: Overrides = {}, agent?: string): string {
  const file = { name: 'test.json', text: JSON.stringify(config) };
  const { setup } = createSetup(loadConfig({ env: {}, file }), { env: {} });
  const known = { ...(key === undefined ? {} : { key }), ...(agent === undefined ? {} : { agent }) };
  return banner({ url: 'http://127.0.0.1:1', setup, file: 'test.json', flags, ...known });
}

const local = {
  wire: 'openai-chat',
  baseUrl: 'http://h',
  models: {
    'kimi-k2-instruct': {},
    'gpt-x': {},
    plain: { toolCalling: 'native' },
    xml: { toolCalling: { dialect: 'cline-xml' } },
  },
};

describe('what serve prints', () => {
  it('an upstream that takes any model is named, and where its models are to be seen', () => {
    const open = { wire: 'openai-chat', baseUrl: 'http://h', anyModel: {} };
    const text = print({ upstreams: { open, quiet: { ...open, discovery: { enabled: false } } } });
    expect(text).toContain('\n  open/…  any model; "npx --no dragoman models" lists what it has\n');
    expect(text).toContain('\n  quiet/…  any model\n');
    expect(print({ upstreams: { open }, demo: false })).toContain('"model":"open/<model>"');
    expect(print({ upstreams: { open }, demo: false, defaultModel: 'open/m' })).toContain('"model":"open/m"');
  });

  it('commands that can be copied mean this gateway, whatever was said on the command line', () => {
    expect(print({})).toMatch(/all others {2}npx --no dragoman connect\n/);
    const open = { wire: 'openai-chat', baseUrl: 'http://h', anyModel: {} };
    const text = print({ upstreams: { open } }, undefined, { config: 'my.json', port: 1 });
    expect(text).toContain('npx --no dragoman connect --config my.json --url http://127.0.0.1:1\n');
    expect(text).toContain('"npx --no dragoman models --config my.json"');
  });

  it('an agent is proposed only where one is installed', () => {
    expect(print({}, undefined, { port: 1 }, 'codex')).toContain('  npx --no dragoman launch codex --url http://');
    expect(print({})).toContain('  npx --no dragoman launch  lists agents and how to install them\n');
  });

  it('the demo is not listed beside the models of the configuration', () => {
    const text = print({ upstreams: { local }, models: { 'gpt-4o': 'local/plain' } });
    const places = ['gpt-4o', 'local/plain'].map((id) => text.indexOf(`\n  ${id} `));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(text).not.toContain('\n  demo');
  });

  it('of many models it tells the first, and where all of them are to be seen', () => {
    const models = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`m${at}`, {}]));
    const text = print({ upstreams: { local: { ...local, models } }, demo: false });
    expect(text).toContain('\n  local/m7  ');
    expect(text).not.toContain('\n  local/m8  ');
    expect(text).toContain('\n  … 4 more: npx --no dragoman models\n');
  });

  it('each place gets the key in its own words', () => {
    const text = print({}, { variable: 'MY_KEY' });
    expect(text).toContain('-H "authorization: Bearer $MY_KEY"');
    expect(text).toContain('apiKey: process.env.MY_KEY }');
    expect(text).toContain('key from the variable MY_KEY');
  });

  it('a key that only the file holds is asked for, and no key is none', () => {
    expect(print({}, {})).toContain('Bearer <your key>');
    expect(print({}, {})).toContain("apiKey: '<your key>'");
    expect(print({})).not.toContain('authorization');
    expect(print({})).toContain("apiKey: 'none'");
  });

  it('names the first model of the configuration, an alias before the rest', () => {
    expect(print({ upstreams: { local } })).toContain('"model":"local/kimi-k2-instruct"');
    const text = print({ upstreams: { local }, models: { 'gpt-4o': 'local/plain' } });
    expect(text).toContain('"model":"gpt-4o"');
    expect(print({})).toContain('"model":"demo"');
  });

  it('shows what auto comes to', () => {
    const text = print({ upstreams: { local } });
    expect(text).toMatch(/local\/kimi-k2-instruct +auto → kimi-k2\n/);
    expect(text).toMatch(/local\/gpt-x +auto → native\n/);
    expect(text).toMatch(/local\/plain +native\n/);
    expect(text).toMatch(/local\/xml +cline-xml\n/);
    expect(print({ upstreams: { local }, toolCalling: false })).toMatch(
      /local\/plain +native → none \(toolCalling is off\)\n/,
    );
  });
});
