import { type Api, type Client, openaiUrl, type Place, type Way } from '../connection.ts';

// The programs that talk to the gateway by a library, or by hand.

const question = 'Hello, who are you?';

export const openaiSdk: Client = program({ id: 'openai-sdk', name: 'OpenAI SDK', api: 'chat' }, (place) => [
  "import OpenAI from 'openai';",
  '',
  `const client = new OpenAI({ baseURL: '${openaiUrl(place)}', apiKey: ${keyExpression(place)} });`,
  '',
  'const completion = await client.chat.completions.create({',
  `  model: '${place.models[0].id}',`,
  `  messages: [{ role: 'user', content: '${question}' }],`,
  '});',
  'console.log(completion.choices[0]?.message.content);',
]);

export const anthropicSdk: Client = program(
  { id: 'anthropic-sdk', name: 'Anthropic SDK', api: 'messages' },
  (place) => [
    "import Anthropic from '@anthropic-ai/sdk';",
    '',
    `const client = new Anthropic({ baseURL: '${place.url}', apiKey: ${keyExpression(place)} });`,
    '',
    'const { content } = await client.messages.create({',
    `  model: '${place.models[0].id}',`,
    '  max_tokens: 1024,',
    `  messages: [{ role: 'user', content: '${question}' }],`,
    '});',
    "console.log(content.map((block) => (block.type === 'text' ? block.text : '')).join(''));",
  ],
);

export const aiSdk: Client = program({ id: 'ai-sdk', name: 'AI SDK', api: 'chat' }, (place) => [
  "import { createOpenAICompatible } from '@ai-sdk/openai-compatible';",
  "import { generateText } from 'ai';",
  '',
  'const dragoman = createOpenAICompatible({',
  "  name: 'dragoman',",
  `  baseURL: '${openaiUrl(place)}',`,
  `  apiKey: ${keyExpression(place)},`,
  '  includeUsage: true,',
  '});',
  '',
  `const { text } = await generateText({ model: dragoman('${place.models[0].id}'), prompt: '${question}' });`,
  'console.log(text);',
]);

export const ollamaSdk: Client = program(
  { id: 'ollama', name: 'Ollama SDK', api: 'ollama' },
  ({ url, models, keyVariable }) => [
    "import { Ollama } from 'ollama';",
    '',
    keyVariable === undefined
      ? `const client = new Ollama({ host: '${url}' });`
      : `const client = new Ollama({ host: '${url}', headers: { authorization: \`Bearer \${process.env.${keyVariable}}\` } });`,
    '',
    'const { message } = await client.chat({',
    `  model: '${models[0].id}',`,
    `  messages: [{ role: 'user', content: '${question}' }],`,
    '});',
    'console.log(message.content);',
  ],
);

export const curl: Client = {
  id: 'curl',
  name: 'curl',
  ways: [
    {
      api: 'chat',
      steps: (place) => [
        {
          kind: 'program',
          language: 'sh',
          text: [
            `curl -sN ${openaiUrl(place)}/chat/completions -H "content-type: application/json" \\`,
            ...(place.keyVariable === undefined ? [] : [`  -H "authorization: Bearer $${place.keyVariable}" \\`]),
            `  -d '{"model":"${place.models[0].id}","stream":true,"messages":[{"role":"user","content":"${question}"}]}'`,
          ].join('\n'),
        },
      ],
    },
  ],
};

interface Library {
  readonly id: string;
  readonly name: string;
  readonly api: Api;
}

function program(library: Library, write: (place: Place) => readonly string[]): Client {
  const { id, name, api } = library;
  const steps: Way['steps'] = (place) => [{ kind: 'program', language: 'ts', text: write(place).join('\n') }];
  return { id, name, ways: [{ api, steps }] };
}

/** SDKs insist on a key, whatever it is. */
function keyExpression({ keyVariable }: Place): string {
  return keyVariable === undefined ? "'none'" : `process.env.${keyVariable} ?? ''`;
}
