import type { EngineSetup } from '@dragoman/core';
import { listModels } from '@dragoman/core';
import { version } from '../version.ts';

export interface BannerOptions {
  readonly url: string;
  readonly setup: EngineSetup;
  /** Whether clients need a key. */
  readonly locked: boolean;
  readonly file: string | undefined;
}

/** What `serve` prints: where it listens, what it offers, and how to use it in one copied line. */
export function banner({ url, setup, locked, file }: BannerOptions): string {
  const models = listModels(setup);
  const model = models.find(({ id }) => id === 'demo')?.id ?? models[0]?.id ?? 'upstream/model';
  const key = locked ? '$OAI_API_KEY' : 'none';
  const header = locked ? ` -H "authorization: Bearer ${key}"` : '';
  const width = Math.max(0, ...models.map(({ id }) => id.length));
  const listed = models.map((entry) => `  ${entry.id.padEnd(width)}  ${wordsOf(entry.rule.toolCalling)}`);
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
    `  VS Code     "Chat: Manage Language Models", OpenAI Compatible: URL ${url}/v1/chat/completions, model ${model}, tool calling on, key ${key}`,
    `  OpenCode    opencode.json: {"provider":{"dragoman":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"${url}/v1","apiKey":"${key}"},"models":{"${model}":{}}}}}`,
    `  OpenAI SDK  new OpenAI({ baseURL: '${url}/v1', apiKey: '${key}' })`,
    '',
  ].join('\n');
}

function wordsOf(toolCalling: 'native' | 'auto' | { readonly dialect: string }): string {
  return typeof toolCalling === 'string' ? toolCalling : toolCalling.dialect;
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
