import { readFileSync } from 'node:fs';
import { localServers, vendors } from '@dragoman/core';
import { expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { findUpstreams, withFound } from './find-upstreams.ts';

const list = (owner: string) => ({ object: 'list', data: [{ id: 'm', owned_by: owner }] });
const here: Readonly<Record<string, unknown>> = {
  'http://127.0.0.1:8080/v1/models': list('llamacpp'),
  'http://127.0.0.1:9931/v1/models': list('llamacpp'),
  'http://127.0.0.1:8000/v1/models': list('somebody'),
  'http://127.0.0.1:1234/v1/models': list('organization_owner'),
  'http://127.0.0.1:1234/api/v0/models': { data: [{ id: 'm', type: 'llm' }] },
  'http://127.0.0.1:11434/api/version': { version: '0.33.0' },
  'http://127.0.0.1:11435/api/version': { version: '0.13.4', dragoman: '0.1.0' },
};

async function find(file: object, env: Readonly<Record<string, string>> = {}) {
  const config = loadConfig({ env, file: { name: 'f', text: JSON.stringify(file) } });
  const asked: string[] = [];
  const answer: typeof fetch = async (input) => {
    const url = String(input);
    asked.push(url);
    if (url.startsWith('http://127.0.0.1:1337/')) return Response.json({ error: {} }, { status: 401 });
    const body = here[url];
    if (body !== undefined) return Response.json(body);
    if (Object.keys(here).some((each) => new URL(each).origin === new URL(url).origin))
      return Response.json({}, { status: 404 });
    throw new TypeError('fetch failed');
  };
  const found = await findUpstreams({ config, env, fetch: answer });
  return { found, asked, config };
}

it('servers of this machine become upstreams, each under the name of what it is', async () => {
  const { found } = await find({});
  const places = Object.entries(found.upstreams).map(([name, { baseUrl, wire }]) => [name, baseUrl, wire]);
  expect(places).toEqual([
    ['llama.cpp', 'http://127.0.0.1:8080/v1', 'openai-chat'],
    ['llama.cpp-9931', 'http://127.0.0.1:9931/v1', 'openai-chat'],
    ['lm-studio', 'http://127.0.0.1:1234/v1', 'openai-chat'],
    ['local', 'http://127.0.0.1:8000/v1', 'openai-chat'],
    ['ollama', 'http://127.0.0.1:11434', 'ollama-chat'],
  ]);
  expect(found.upstreams['lm-studio']?.discovery.path).toBe('/api/v0/models');
  expect([...found.local]).toEqual(places.map(([name]) => name));
  expect(found.titles.get('lm-studio')).toBe('LM Studio at http://127.0.0.1:1234');
  expect(found.leftOut).toEqual([
    expect.stringMatching(/^Jan at http:\/\/127\.0\.0\.1:1337 wants a key\..*DRAGOMAN_UPSTREAM/),
  ]);
});

it('vendors come by their keys, are asked nothing here, and never by a key that may be another’s', async () => {
  const env = {
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_API_KEY: 'sk-2',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:11434',
    GOOGLE_API_KEY: 'g-1',
    GROQ_API_KEY: ' ',
  };
  const { found, asked } = await find({}, env);
  const vendors = Object.entries(found.upstreams).filter(([name]) => !found.local.has(name));
  expect(vendors.map(([name, { baseUrl, apiKey }]) => [name, baseUrl, apiKey])).toEqual([
    ['openai', 'https://api.openai.com/v1', 'env:OPENAI_API_KEY'],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', 'env:GOOGLE_API_KEY'],
  ]);
  expect(found.leftOut).toContain(
    'Anthropic is not asked: ANTHROPIC_BASE_URL points elsewhere, so ANTHROPIC_API_KEY may not be its key.',
  );
  expect(asked.filter((url) => !/^http:\/\/(127\.0\.0\.1|\[::1\]):/.test(url))).toEqual([]);
});

it('what the configuration names is not offered twice, and keeps its name', async () => {
  const upstreams = {
    ollama: 'http://gpu:11434',
    mine: 'http://localhost:8080/v1',
    openai: 'https://api.openai.com/v1',
  };
  const { found, config } = await find({ upstreams, findUpstreams: true }, { OPENAI_API_KEY: 'sk-1' });
  expect(Object.keys(withFound(config, found).upstreams)).toEqual([
    ...['ollama', 'mine', 'openai'],
    ...['llama.cpp', 'lm-studio', 'local', 'ollama-11434'],
  ]);
});

it('docs/discovery.md has every server and every vendor', () => {
  const page = readFileSync(new URL('../../../../docs/discovery.md', import.meta.url), 'utf8');
  for (const { kind, name, ports } of localServers) {
    if (kind !== 'dragoman') expect(page).toContain(`| ${name} | ${ports.join(', ')} |`);
  }
  for (const { id, keys } of vendors) {
    expect(page).toContain(`| ${keys.map((key) => `\`${key}\``).join(', ')} | \`${id}/\``);
  }
});
