import { cutText } from '@dragoman/testkit';
import * as ai5 from 'ai5';
import { MockLanguageModelV2 } from 'ai5/test';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { dragoman as forVersion5 } from '../src/v5.ts';
import { dragoman as forVersion6 } from '../src/v6.ts';

beforeAll(() => vi.stubGlobal('AI_SDK_LOG_WARNINGS', false));
afterAll(() => vi.unstubAllGlobals());

/** Here types of the older versions come with the latest SDK; with the older SDK they are its own, as `test:packages` checks. */
const ofThatSdk = <Type>(middleware: unknown): Type => middleware as Type;

const written = 'I look.\n<tool_call>\n{"name": "read", "arguments": {"path": "a.md"}}\n</tool_call>';
const answer = 'It says alpha.';
const modelId = 'qwen2.5-7b-instruct';

const pieces = (text: string) => [
  { type: 'stream-start' as const, warnings: [] },
  { type: 'text-start' as const, id: '0' },
  ...cutText(text, { seed: 3, max: 7 }).map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
  { type: 'text-end' as const, id: '0' },
];

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

describe('version 5 of the AI SDK', () => {
  const usage = { inputTokens: 7, outputTokens: 5, totalTokens: 13, reasoningTokens: 1, cachedInputTokens: 2 };

  function scene() {
    const replies = [written, answer];
    const next = () => replies.shift() ?? '';
    const mock = new MockLanguageModelV2({
      modelId,
      doGenerate: async () => ({
        content: [{ type: 'text', text: next() }],
        finishReason: 'stop',
        usage,
        warnings: [],
      }),
      doStream: async () => ({
        stream: streamOf([...pieces(next()), { type: 'finish' as const, finishReason: 'stop' as const, usage }]),
      }),
    });
    const execute = vi.fn(async ({ path }: { path: string }) => ({
      type: 'content' as const,
      value: [
        { type: 'text' as const, text: `text of ${path}` },
        { type: 'media' as const, data: 'AQID', mediaType: 'image/png' },
      ],
    }));
    const read = ai5.tool({
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute,
      toModelOutput: (output) => output,
    });
    const asked = {
      model: ai5.wrapLanguageModel({ model: mock, middleware: ofThatSdk(forVersion5()) }),
      tools: { read },
      stopWhen: ai5.stepCountIs(3),
      prompt: 'What is in a.md?',
    };
    return { mock, execute, asked };
  }

  it('runs the calls of a text model, whole', async () => {
    const { mock, execute, asked } = scene();
    const { text, steps, totalUsage } = await ai5.generateText(asked);
    expect(text).toBe(answer);
    expect(execute.mock.calls.map(([input]) => input)).toEqual([{ path: 'a.md' }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(totalUsage).toMatchObject({ inputTokens: 14, outputTokens: 10, totalTokens: 26, cachedInputTokens: 4 });
    const told = JSON.stringify(mock.doGenerateCalls[1]?.prompt);
    expect(told).toContain('text of a.md');
    expect(told).toContain('[file: image/png]');
    expect(mock.doGenerateCalls[0]?.tools).toBeUndefined();
  });

  it('runs them streamed', async () => {
    const { execute, asked } = scene();
    const result = ai5.streamText(asked);
    expect(await result.text).toBe(answer);
    expect(execute).toHaveBeenCalledTimes(1);
    expect((await result.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(await result.totalUsage).toMatchObject({ inputTokens: 14, outputTokens: 10, totalTokens: 26 });
  });

  it('keeps what nobody knows', async () => {
    const mock = new MockLanguageModelV2({
      modelId,
      doStream: async () => ({
        stream: streamOf([
          ...pieces('Hm.'),
          {
            type: 'finish' as const,
            finishReason: 'unknown' as const,
            usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
          },
        ]),
      }),
    });
    const model = ai5.wrapLanguageModel({ model: mock, middleware: ofThatSdk(forVersion5()) });
    const result = ai5.streamText({ model, prompt: 'Go.' });
    expect([await result.text, await result.finishReason]).toEqual(['Hm.', 'unknown']);
    expect(await result.usage).toMatchObject({ inputTokens: undefined, totalTokens: undefined });
  });
});

describe('version 6 of the AI SDK', () => {
  const usage = {
    inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  };
  const finishReason = { unified: 'stop' as const, raw: 'stop' };

  function scene() {
    const replies = [written, answer];
    const next = () => replies.shift() ?? '';
    const mock = new MockLanguageModelV3({
      modelId,
      doGenerate: async () => ({ content: [{ type: 'text', text: next() }], finishReason, usage, warnings: [] }),
      doStream: async () => ({
        stream: streamOf([...pieces(next()), { type: 'finish' as const, finishReason, usage }]),
      }),
    });
    const execute = vi.fn(async ({ path }: { path: string }) => `text of ${path}`);
    const read = ai6.tool({ description: 'Reads a file.', inputSchema: z.object({ path: z.string() }), execute });
    const asked = {
      model: ai6.wrapLanguageModel({ model: mock, middleware: ofThatSdk(forVersion6()) }),
      tools: { read },
      stopWhen: ai6.stepCountIs(3),
      prompt: 'What is in a.md?',
    };
    return { mock, execute, asked };
  }

  it('runs the calls of a text model, whole', async () => {
    const { mock, execute, asked } = scene();
    const { text, steps } = await ai6.generateText(asked);
    expect(text).toBe(answer);
    expect(execute.mock.calls.map(([input]) => input)).toEqual([{ path: 'a.md' }]);
    expect(steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'stop']);
    expect(JSON.stringify(mock.doGenerateCalls[1]?.prompt)).toContain('text of a.md');
  });

  it('runs them streamed', async () => {
    const { execute, asked } = scene();
    const result = ai6.streamText(asked);
    expect(await result.text).toBe(answer);
    expect(execute).toHaveBeenCalledTimes(1);
    expect(await result.totalUsage).toMatchObject({ inputTokens: 14, outputTokens: 10 });
  });
});
