import Anthropic from '@anthropic-ai/sdk';
import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import type { TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello') });
  gateway = await gatewayForTest({ upstream });
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 });
});

const bytes = 'iVBORw0KGgo=';
const url = `data:image/png;base64,${bytes}`;
const model = 'up/text';
const told = () => JSON.stringify(upstream.requests.at(-1)?.body);
const warningsOf = ({ headers }: Response) => headers.get('x-dragoman-warnings');

describe.each([true, false])('a text-only model, streamed: %s', (stream) => {
  it('is told of an image that it cannot see, and the header names it', async () => {
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ];
    const { response } = await openai.chat.completions
      .create({ model, messages: [{ role: 'user', content }], stream })
      .withResponse();
    expect(told()).toContain('[an image that you cannot see]');
    expect(told()).not.toContain(bytes);
    expect(warningsOf(response)).toBe('part-dropped=1');
  });

  it('is told of a screenshot in a result, and the agent goes on', async () => {
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: bytes };
    const { response } = await anthropic.messages
      .create({
        model,
        max_tokens: 100,
        stream,
        tools: [{ name: 'screenshot', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'Look at the page.' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'screenshot', input: {} }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source }] }],
          },
        ],
      })
      .withResponse();
    expect(told()).toContain('The images in these results are not shown: you cannot see images.');
    expect(told()).not.toContain(bytes);
    expect(warningsOf(response)).toBe('part-dropped=1');
  });

  it('is told of a document that it cannot read', async () => {
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: bytes };
    const { response } = await anthropic.messages
      .create({ model, max_tokens: 100, stream, messages: [{ role: 'user', content: [{ type: 'document', source }] }] })
      .withResponse();
    expect(told()).toContain('[a document that you cannot read]');
    expect(warningsOf(response)).toBe('part-dropped=1');
  });

  it('knows nothing of tools that nobody here runs, and the header names them', async () => {
    const { response } = await openai.responses
      .create({
        model,
        input: 'Hi',
        stream,
        tools: [{ type: 'web_search' }, { type: 'mcp', server_label: 'docs', server_url: 'https://example.com' }],
      })
      .withResponse();
    expect(told()).not.toContain('web_search');
    expect(warningsOf(response)).toContain('tool-dropped=2');
  });
});

it.each<[string, OpenAI.ChatCompletionContentPart]>([
  ['sound', { type: 'input_audio', input_audio: { data: bytes, format: 'wav' } }],
  ['a file', { type: 'file', file: { file_data: bytes, filename: 'a.pdf' } }],
])('%s is refused, naming the place', async (_, part) => {
  const messages = [{ role: 'user' as const, content: [part] }];
  await expect(openai.chat.completions.create({ model, messages })).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_field',
    param: 'messages[0].content[0].type',
  });
});

describe('calls that nobody asked for', () => {
  const call = (path: string) => `<tool_call>{"name":"read","arguments":{"path":"${path}"}}</tool_call>`;
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: { path: {} } } } },
  ];
  const messages = [{ role: 'user' as const, content: 'Read both.' }];

  it.each([true, false])('are left out and told, never shown as markup; streamed: %s', async (streamed) => {
    const ask = async (more: object) => {
      const body = { model, messages, tools, ...more };
      const { choices } = streamed
        ? await openai.chat.completions.stream(body).finalChatCompletion()
        : await openai.chat.completions.create(body);
      return choices[0]?.message;
    };
    upstream.next(chatStream(`Both. ${call('a')}\n${call('b')}`), chatStream(`No tools? ${call('a')}`));
    const one = await ask({ parallel_tool_calls: false });
    expect(one?.tool_calls).toHaveLength(1);
    expect(one?.content?.trim()).toBe('Both.');
    const none = await ask({ tool_choice: 'none' });
    expect(none?.tool_calls ?? []).toEqual([]);
    expect(none?.content?.trim()).toBe('No tools?');
    const records = gateway.records().filter(({ warnings }) => warnings !== undefined);
    expect(records.map(({ warnings }) => warnings)).toEqual([{ 'call-surplus': 1 }, { 'call-surplus': 1 }]);
  });
});
