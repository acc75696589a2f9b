import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { chatStream, type ScriptedUpstream, startScriptedUpstream } from '@dragoman/testkit';
import { generateText, isStepCount, Output, streamText, tool, wrapLanguageModel } from 'ai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { dragoman } from '../src/index.ts';

// The real provider for servers that are compatible with OpenAI's, in front of one that knows only text.

let upstream: ScriptedUpstream;

beforeAll(() => vi.stubGlobal('AI_SDK_LOG_WARNINGS', false));
afterAll(() => vi.unstubAllGlobals());
beforeEach(async () => {
  upstream = await startScriptedUpstream();
});
afterEach(() => upstream.close());

const model = (modelId: string) =>
  wrapLanguageModel({
    model: createOpenAICompatible({ name: 'local', baseURL: upstream.baseUrl })(modelId),
    middleware: dragoman(),
  });

const read = (execute: (input: { path: string }) => Promise<string>) =>
  tool({ description: 'Reads a file.', inputSchema: z.object({ path: z.string() }), execute });

/** What a model of this name writes for two calls, and how the SDK is answered then. */
const models = {
  'qwen2.5-7b-instruct':
    '<tool_call>\n{"name": "read", "arguments": {"path": "a.md"}}\n</tool_call>\n<tool_call>\n{"name": "read", "arguments": {"path": "b & c.md"}}\n</tool_call>',
  'qwen3-coder-30b':
    '<tool_call>\n<function=read>\n<parameter=path>\na.md\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=read>\n<parameter=path>\nb & c.md\n</parameter>\n</function>\n</tool_call>',
  'glm-4.6':
    '\n<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>\n<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>b & c.md</arg_value>\n</tool_call>',
} as const;

describe.each(Object.entries(models))('a model named %s', (modelId, written) => {
  it('runs its calls, told by its name, over HTTP', async () => {
    upstream.next(chatStream(written, { pieces: 3 }), chatStream('alpha and beta'));
    const execute = vi.fn(async ({ path }: { path: string }) => `text of ${path}`);
    const result = streamText({
      model: model(modelId),
      tools: { read: read(execute) },
      stopWhen: isStepCount(3),
      maxRetries: 0,
      prompt: 'What is in the files?',
    });
    expect(await result.text).toBe('alpha and beta');
    expect(execute.mock.calls.map(([input]) => input)).toEqual([{ path: 'a.md' }, { path: 'b & c.md' }]);
    const [first, second] = upstream.requests;
    expect(first?.body).not.toHaveProperty('tools');
    expect(second?.text).toContain('text of b & c.md');
  });
});

it('reads a model that it does not know in whatever form it writes', async () => {
  upstream.next(chatStream(models['glm-4.6'], { pieces: 5 }), chatStream('alpha and beta'));
  const execute = vi.fn(async ({ path }: { path: string }) => `text of ${path}`);
  const tools = { read: read(execute) };
  const result = streamText({ model: model('new-1'), tools, stopWhen: isStepCount(3), maxRetries: 0, prompt: 'Go.' });
  expect(await result.text).toBe('alpha and beta');
  expect(execute).toHaveBeenCalledTimes(2);
  expect(upstream.requests[0]?.text).toContain('TOOL_NAME');
});

it('takes an image along, and asks for the form of the answer in words where calls are text', async () => {
  upstream.next(chatStream('```json\n{"files": 2}\n```'));
  const result = streamText({
    model: model('qwen2.5-7b-instruct'),
    tools: { read: read(async () => 'never') },
    output: Output.object({ schema: z.object({ files: z.number() }) }),
    maxRetries: 0,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'How many?' },
          { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
        ],
      },
    ],
  });
  expect(await result.output).toEqual({ files: 2 });
  const [request] = upstream.requests;
  expect(request?.body).not.toHaveProperty('response_format');
  expect(request?.text).toContain('one JSON value and nothing else');
  expect(request?.text).toContain('data:image/png;base64,AQID');
});

it('tells the SDK of a reply that was cut, after all that was held back', async () => {
  upstream.next({
    steps: [...chatStream('Look: <tool_call>{"na', { finishReason: null, done: false }).steps, { cut: true }],
  });
  const { stream } = await model('qwen2.5-7b-instruct').doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
    tools: [{ type: 'function', name: 'read', inputSchema: { type: 'object', properties: {} } }],
  });
  let text = '';
  const reading = (async () => {
    for await (const part of stream) if (part.type === 'text-delta') text += part.delta;
  })();
  await expect(reading).rejects.toThrow();
  expect(text).toBe('Look: <tool_call>{"na');
});

it('lets go of the server when the caller aborts', async () => {
  upstream.next({ steps: [...chatStream('more ', { finishReason: null, done: false }).steps, { stall: true }] });
  const abort = new AbortController();
  const result = streamText({
    model: model('qwen2.5-7b-instruct'),
    tools: { read: read(async () => 'never') },
    maxRetries: 0,
    prompt: 'Go.',
    abortSignal: abort.signal,
  });
  for await (const part of result.fullStream) if (part.type === 'text-delta') abort.abort();
  const request = await upstream.request(0);
  expect(await request.over).toBe('aborted');
});

it('refuses a dialect that does not exist before anything is asked', () => {
  // @ts-expect-error ids are known while somebody types.
  expect(() => dragoman({ dialect: 'hermez' })).toThrow(/no dialect "hermez".*hermes/);
});

it('leaves a conversation without tools as it is', async () => {
  upstream.next({
    headers: { 'content-type': 'application/json' },
    steps: [
      {
        text: JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hello <b>' }, finish_reason: 'stop' }],
        }),
      },
    ],
  });
  const { text } = await generateText({ model: model('some'), maxRetries: 0, prompt: 'Say <tool_call>.' });
  expect(text).toBe('Hello <b>');
  const [request] = upstream.requests;
  expect(request?.body).toMatchObject({ messages: [{ role: 'user', content: 'Say <tool_call>.' }] });
});
