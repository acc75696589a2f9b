import {
  type ChatRequest,
  type EngineSetup,
  GatewayError,
  listModels,
  type ModelEntry,
  planRequest,
} from '@dragoman/core';
import { version } from '../version.ts';
import type { KeyHint } from './key-hint.ts';

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
  const listed = models.map((entry) => `  ${entry.id.padEnd(width)}  ${toolCallingOf(entry, setup)}`);
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
    `  OpenAI SDK  new OpenAI({ baseURL: '${url}/v1', apiKey: ${keys.script} })`,
    '',
  ].join('\n');
}

/** The first model that the configuration brings; the demo when it brings none. */
function exampleModel(models: readonly ModelEntry[]): string {
  const own = models.find(({ upstream }) => upstream !== 'demo') ?? models.find(({ id }) => id === 'demo');
  return own?.id ?? models[0]?.id ?? 'upstream/model';
}

/** How a model writes calls, as a request for it would be planned. */
function toolCallingOf({ id, rule }: ModelEntry, setup: EngineSetup): string {
  const { toolCalling } = rule;
  const said = typeof toolCalling === 'string' ? toolCalling : toolCalling.dialect;
  const planned = plannedFor(id, setup);
  return planned === said ? said : `${said} → ${planned}`;
}

function plannedFor(model: string, setup: EngineSetup): string {
  try {
    const { toolCalling } = planRequest({ ...emptyRequest, model }, setup);
    return toolCalling === 'none' ? 'none (toolCalling is off)' : toolCalling;
  } catch (thrown) {
    // A model that cannot be planned says so when it is asked for; the others serve.
    if (thrown instanceof GatewayError) return thrown.message;
    throw thrown;
  }
}

const emptyRequest: Omit<ChatRequest, 'model'> = {
  messages: [],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  stream: true,
  includeUsage: false,
  sampling: {},
  extra: {},
  issues: [],
};

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
