import { type EngineSetup, listModels, type ModelEntry, type Upstream } from '@dragoman/core';
import { version } from '../version.ts';
import type { KeyHint } from './key-hint.ts';
import { toolCallingOf } from './tool-calling-of.ts';

export interface BannerOptions {
  readonly url: string;
  readonly setup: EngineSetup;
  /** Absent when clients need no key. */
  readonly key?: KeyHint;
  readonly file: string | undefined;
}

/** What `serve` prints: where it listens, what it offers, and how to use it in one copied line. */
export function banner({ url, setup, key, file }: BannerOptions): string {
  const models = listModels(setup);
  const model = exampleModel(models);
  const keys = wordsOfKey(key);
  const header = key === undefined ? '' : ` -H "authorization: Bearer ${keys.shell}"`;
  const width = Math.max(0, ...models.map(({ id }) => id.length));
  const listed = [
    ...models.map((entry) => `  ${entry.id.padEnd(width)}  ${toolCallingOf(entry, setup)}`),
    ...[...setup.upstreams.values()].filter(({ anyModel }) => anyModel !== undefined).map(openPlace),
  ];
  const openCode = {
    provider: {
      dragoman: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: keys.openCode },
        models: { [model]: {} },
      },
    },
  };
  return [
    `Dragoman ${version} listens on ${url}`,
    `Configuration: ${file ?? 'none, so only the built-in demo model; see docs/configuration.md'}`,
    '',
    'Models',
    ...(listed.length === 0 ? ['  none: add "upstreams" to the configuration'] : listed),
    '',
    'See a streamed tool call',
    `  curl -N ${url}/v1/chat/completions -H "content-type: application/json"${header} -d '${exampleBody(model)}'`,
    '',
    'Point a client at it',
    `  VS Code     "Chat: Manage Language Models", OpenAI Compatible: URL ${url}/v1/chat/completions, model ${model}, tool calling on, key ${keys.words}`,
    `  OpenCode    opencode.json: ${JSON.stringify(openCode)}`,
    '  all others  dragoman connect',
    `  OpenAI SDK  new OpenAI({ baseURL: '${url}/v1', apiKey: ${keys.script} })`,
    '',
  ].join('\n');
}

/** An upstream that takes any model. Its own list is not read yet. */
function openPlace({ name, listed }: Upstream): string {
  return `  ${name}/…  any model${listed === undefined ? '' : '; "dragoman models" lists what it has'}`;
}

/** The first model that the configuration brings; the demo when it brings none. */
function exampleModel(models: readonly ModelEntry[]): string {
  const own = models.find(({ upstream }) => upstream !== 'demo') ?? models.find(({ id }) => id === 'demo');
  return own?.id ?? models[0]?.id ?? 'upstream/model';
}

interface KeyWords {
  readonly shell: string;
  readonly openCode: string;
  /** An expression in JavaScript. */
  readonly script: string;
  readonly words: string;
}

/** A key as each place writes it. The key itself is never printed. */
function wordsOfKey(key: KeyHint | undefined): KeyWords {
  if (key === undefined) return { shell: '', openCode: 'none', script: "'none'", words: 'none' };
  const { variable } = key;
  if (variable === undefined) {
    return { shell: '<your key>', openCode: '<your key>', script: "'<your key>'", words: '<your key>' };
  }
  return {
    shell: `$${variable}`,
    openCode: `{env:${variable}}`,
    script: `process.env.${variable}`,
    words: `from the variable ${variable}`,
  };
}

/** One line without single quotes, so that it can stand in a shell's. */
function exampleBody(model: string): string {
  return JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: 'Read the file README.md' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'read_file',
          description: 'Reads a file and returns its text.',
          parameters: {
            type: 'object',
            properties: { path: { type: 'string', description: 'The path of the file, such as src/index.ts.' } },
            required: ['path'],
          },
        },
      },
    ],
  });
}
