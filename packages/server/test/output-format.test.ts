import Anthropic from '@anthropic-ai/sdk';
import { chatStream } from '@dragoman/testkit';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { tools } from './start-text-gateway.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const city = '{"city":"Graz"}';
const messages = [{ role: 'user' as const, content: 'Name a city.' }];

let upstream: Awaited<ReturnType<typeof upstreamForTest>>;
let url: string;

beforeEach(async () => {
  upstream = await upstreamForTest();
  const models = { native: { toolCalling: 'native' }, text: { toolCalling: { dialect: 'hermes' } } };
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models } } };
  ({ url } = await gatewayForTest({ config }));
});

const openai = () => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });

/** The answer under each client's own spelling of the schema. */
const askers: readonly (readonly [client: string, ask: () => Promise<string>])[] = [
  [
    'Chat Completions',
    async () => {
      const response_format = { type: 'json_schema' as const, json_schema: { name: 'city', schema, strict: true } };
      const answer = await openai().chat.completions.parse({ model: 'up/native', messages, response_format });
      expect(answer.choices[0]?.message.parsed).toEqual({ city: 'Graz' });
      return answer.choices[0]?.message.content ?? '';
    },
  ],
  [
    'Responses',
    async () => {
      const text = { format: { type: 'json_schema' as const, name: 'city', schema, strict: true } };
      const answer = await openai().responses.create({ model: 'up/native', input: 'Name a city.', text });
      expect(answer.text?.format).toMatchObject({ type: 'json_schema', name: 'city', strict: true });
      return answer.output_text;
    },
  ],
  [
    'Anthropic',
    async () => {
      const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 });
      const format = { type: 'json_schema' as const, schema };
      const request = { model: 'up/native', max_tokens: 100, messages, output_config: { format } };
      const { content } = await client.messages.create(request);
      return content[0]?.type === 'text' ? content[0].text : '';
    },
  ],
  [
    'Ollama',
    async () => {
      const { message } = await new Ollama({ host: url }).chat({ model: 'up/native', messages, format: schema });
      return message.content;
    },
  ],
];

describe.each(askers)('a schema asked for by a client of %s', (_, ask) => {
  it('A-051 reaches an upstream of another API, and a fence around the answer is taken off', async () => {
    upstream.next(chatStream(`\`\`\`json\n${city}\n\`\`\``));
    expect(await ask()).toBe(city);
    expect((await upstream.request(0)).body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema } },
    });
  });
});

describe('JSON of any shape', () => {
  const response_format = { type: 'json_object' as const };

  it('A-051 is asked for in words where tools are taught as text, and calls are still found', async () => {
    upstream.next(chatStream('<tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>'));
    const answer = await openai().chat.completions.create({ model: 'up/text', messages, tools, response_format });
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'read' } }]);
    const { body, text } = await upstream.request(0);
    expect(body).not.toHaveProperty('response_format');
    expect(text).toContain('one JSON value and nothing else');
  });

  it('A-051 arrives bare in a stream', async () => {
    upstream.next(chatStream(`\`\`\`json\n${city}\n\`\`\``, { pieces: 1 }));
    const stream = await openai().chat.completions.create({
      model: 'up/text',
      messages,
      response_format,
      stream: true,
    });
    let said = '';
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
    expect(said).toBe(city);
  });

  it('A-051 is refused under a name that nobody knows', async () => {
    const body = { model: 'up/native', messages, response_format: { type: 'grammar', grammar: 'root ::= "a"' } };
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'unsupported_field', param: 'response_format.type' },
    });
  });
});

describe('A-051 a schema that nothing can be checked against is refused with its place', () => {
  const wrong = { type: 'object', properties: { city: { type: 'strng' } } };
  const said = 'properties.city.type';
  it.each<[api: string, path: string, body: object, param: string]>([
    [
      'Chat Completions',
      '/v1/chat/completions',
      { messages, response_format: { type: 'json_schema', json_schema: { name: 'city', schema: wrong } } },
      `response_format.json_schema.schema.${said}`,
    ],
    [
      'Responses',
      '/v1/responses',
      { input: 'Name a city.', text: { format: { type: 'json_schema', name: 'city', schema: wrong } } },
      `text.format.schema.${said}`,
    ],
    [
      'Anthropic',
      '/v1/messages',
      { max_tokens: 9, messages, output_config: { format: { type: 'json_schema', schema: wrong } } },
      `output_config.format.schema.${said}`,
    ],
    ['Ollama', '/api/chat', { messages, format: wrong }, `format.${said}`],
  ])('%s', async (_, path, body, param) => {
    const init = { method: 'POST', body: JSON.stringify({ model: 'up/text', ...body }) };
    const answer = await fetch(`${url}${path}`, init);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain(`${param}: is \\"strng\\"`);
    expect(upstream.requests).toHaveLength(0);
  });
});
