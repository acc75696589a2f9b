import { defaultModelOf, type EngineSetup, listModels, type Upstream } from '@dragoman/core';
import type { Overrides } from '../config/environment.ts';
import { version } from '../version.ts';
import { columns } from './columns.ts';
import { docPage, ownCommand } from './how-started.ts';
import type { KeyHint } from './key-hint.ts';
import { toolCallingOf } from './tool-calling-of.ts';

/** Models that are listed one by one. */
const mostModels = 8;

export interface BannerOptions {
  readonly url: string;
  readonly setup: EngineSetup;
  /** Absent when clients need no key. */
  readonly key?: KeyHint;
  readonly file: string | undefined;
  /** Lines that tell what was found, where somebody has looked. */
  readonly found?: readonly string[];
  /** Why it does not listen where clients look first, in a sentence. */
  readonly aside?: string;
  /** An agent that is installed, by its id; absent where none is. */
  readonly agent?: string;
  /** What was said on the command line, which other commands have to be told as well. */
  readonly flags: Overrides;
}

/** What `serve` prints: where it listens, what it offers, and how to use it in one copied line. */
export function banner({ url, setup, key, file, flags, found, aside, agent }: BannerOptions): string {
  const models = listModels(setup);
  const chosen = defaultModelOf(setup);
  const model = chosen ?? models[0]?.id ?? `${[...setup.upstreams.keys()][0] ?? 'upstream'}/<model>`;
  const sameConfig = flags.config === undefined ? '' : ` --config ${flags.config}`;
  const sameUrl = flags.port === undefined && flags.host === undefined ? '' : ` --url ${url}`;
  const keys = wordsOfKey(key);
  const header = key === undefined ? '' : ` -H "authorization: Bearer ${keys.shell}"`;
  const shown = models.slice(0, mostModels);
  const listed = [
    ...columns(shown.map((entry) => [`  ${entry.id}`, toolCallingOf(entry, setup)])),
    ...(models.length > mostModels
      ? [`  … ${models.length - mostModels} more: ${ownCommand} models${sameConfig}`]
      : []),
    ...[...setup.upstreams.values()]
      .filter(({ anyModel, shortNames }) => anyModel !== undefined && shortNames !== true)
      .map((upstream) => openPlace(upstream, sameConfig)),
  ];
  return [
    `Dragoman ${version} listens on ${url}`,
    ...(aside === undefined ? [] : [aside]),
    `Configuration: ${file ?? `none; see ${docPage('configuration')}`}`,
    '',
    ...(found === undefined ? [] : ['Found', ...found, '']),
    `Models${chosen === undefined ? '' : ` (${chosen} for requests that name none)`}, and how each writes tool calls: native, or in a dialect`,
    ...(listed.length === 0 ? ['  none: add "upstreams" to the configuration'] : listed),
    '',
    'See a streamed tool call',
    `  curl -N ${url}/v1/chat/completions -H "content-type: application/json"${header} -d '${exampleBody(model)}'`,
    '',
    'Start an agent with a model',
    agent === undefined
      ? `  ${ownCommand} launch  lists agents and how to install them`
      : `  ${ownCommand} launch ${agent}${sameConfig}${sameUrl}`,
    '',
    'Point a client at it',
    `  VS Code     "Chat: Manage Language Models", Custom Endpoint: URL ${url}/v1/chat/completions, model ${model}, tool calling on, key ${keys.words}`,
    `  OpenAI SDK  new OpenAI({ baseURL: '${url}/v1', apiKey: ${keys.script} })`,
    `  all others  ${ownCommand} connect${sameConfig}${sameUrl}`,
    '',
  ].join('\n');
}

/** An upstream that takes any model. Its own list is not read yet. */
function openPlace({ name, listed }: Upstream, flags: string): string {
  const hint = listed === undefined ? '' : `; "${ownCommand} models${flags}" lists what it has`;
  return `  ${name}/…  any model${hint}`;
}

interface KeyWords {
  readonly shell: string;
  /** An expression in JavaScript. */
  readonly script: string;
  readonly words: string;
}

/** A key as each place writes it. The key itself is never printed. */
function wordsOfKey(key: KeyHint | undefined): KeyWords {
  if (key === undefined) return { shell: '', script: "'none'", words: 'none' };
  const { variable } = key;
  if (variable === undefined) {
    return { shell: '<your key>', script: "'<your key>'", words: '<your key>' };
  }
  return {
    shell: `$${variable}`,
    script: `process.env.${variable}`,
    words: `from the variable ${variable}`,
  };
}

/** One line without single quotes, so that it can be in a shell's. */
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
