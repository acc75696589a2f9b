import { DragomanError } from '@dragoman/core';
import { expect, it } from 'vitest';
import { createSetup } from '../config/create-setup.ts';
import { loadConfig } from '../config/load-config.ts';
import type { FoundUpstreams } from '../discovery/find-upstreams.ts';
import { missingModels, reportFound, type TellFoundOptions } from './tell-found.ts';

type Known = ReturnType<TellFoundOptions['discovery']['of']>;

const listed = (...ids: readonly string[]) => new Map(ids.map((id) => [id, { id }]));
const models = (...ids: readonly string[]): Known => ({ listed: () => listed(...ids), others: [], failure: undefined });
const failed = (code: 'upstream-unauthorized' | 'upstream-unreachable'): Known => ({
  ...{ listed: () => listed(), others: [], failure: new DragomanError(code, 'in the words of the log') },
});

const lines = (known: Readonly<Record<string, Known>>, more: Partial<FoundUpstreams> = {}) =>
  reportFound({
    found: {
      ...{ upstreams: {}, titles: new Map(Object.keys(known).map((name) => [name, `${name} somewhere`])) },
      ...{ local: new Set(['ollama', 'vllm']), servers: [], leftOut: [], ...more },
    },
    discovery: { of: (name) => known[name] },
  });

it('each has a line, with what it has, what was left out of it and why', () => {
  const others = ['a', 'b', 'c', 'd'].map((id) => ({ id, use: 'embeddings' }));
  const ollama = { listed: () => listed('x', 'y'), others, failure: undefined };
  expect(lines({ ollama, vllm: models(), openai: models('gpt-5') }, { leftOut: ['Jan wants a key.'] })).toEqual([
    '  ollama somewhere  2 models; left out: a (embeddings), b (embeddings), c (embeddings), 1 more',
    '  vllm somewhere    no model yet',
    '  openai somewhere  1 model, asked only as openai/…',
    '  Jan wants a key.',
  ]);
});

it('what has no list says what to do', () => {
  const [wrong, away] = lines({ openai: failed('upstream-unauthorized'), groq: failed('upstream-unreachable') });
  expect(wrong).toContain('refuses the key: set another, or unset the variable');
  expect(away).toContain('cannot be reached: its models are there as soon as it can');
});

it.each([
  [{ defaultModel: 'demo' }, []],
  [{ defaultModel: 'qwen3' }, [['defaultModel', 'qwen3']]],
  [{ models: { a: 'demo', b: 'nowhere/x' } }, [['models.b', 'nowhere/x']]],
  [{ models: { b: 'nowhere/x' }, defaultModel: 'b' }, [['models.b', 'nowhere/x']]],
])('a model that is nowhere, where models are found: %j', (models, told) => {
  const text = JSON.stringify({ findUpstreams: true, ...models });
  const config = loadConfig({ env: {}, file: { name: 'dragoman.json', text } });
  const { setup } = createSetup(config, { env: {} });
  expect(missingModels(setup)).toEqual(
    told.map(([setting, model]) => ({ setting, model, reason: expect.stringContaining(`no model "${model}"`) })),
  );
});

it('where nothing is found, it says how there can be', () => {
  const [first = '', ...rest] = lines({}, { leftOut: ['Jan wants a key.'] });
  expect(first).toContain('there is only the built-in demo model');
  expect(rest.join('\n')).toContain('Start Ollama');
  expect(rest.at(-1)).toBe('  Jan wants a key.');
});
