import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { jsonSchema, type LanguageModel, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import type { ResponseInput } from 'openai/resources/responses/responses';
import type { Arguments, CodingTool } from './coding-tool.ts';
import { runOllamaTurn } from './ollama-turn.ts';

/** What an agent turn needs, whichever SDK makes it. */
export interface SdkTurn {
  /** The gateway's address without a path. */
  readonly url: string;
  readonly model: string;
  readonly request: string;
  readonly tools: readonly CodingTool[];
}

/** An agent turn with an SDK's own means; resolves with what the model said last. */
type RunTurn = (turn: SdkTurn) => Promise<string>;

/** Every way in which the official SDKs make an agent turn of several steps, by name. */
export const sdkTurns: ReadonlyMap<string, RunTurn> = new Map<string, RunTurn>([
  ['openai runTools, streamed', (turn) => runTools(turn, true)],
  ['openai runTools, whole', (turn) => runTools(turn, false)],
  ['openai responses.stream()', (turn) => responses(turn, true)],
  ['openai responses.create()', (turn) => responses(turn, false)],
  ['@anthropic-ai/sdk toolRunner, streamed', (turn) => toolRunner(turn, true)],
  ['@anthropic-ai/sdk toolRunner, whole', (turn) => toolRunner(turn, false)],
  ['ollama chat, streamed', (turn) => ollamaChat(turn, true)],
  ['ollama chat, whole', (turn) => ollamaChat(turn, false)],
  [
    'ai with @ai-sdk/openai-compatible',
    (turn) => aiSdk(turn, createOpenAICompatible({ name: 'd', baseURL: `${turn.url}/v1` })(turn.model)),
  ],
  [
    'ai with @ai-sdk/openai',
    (turn) => aiSdk(turn, createOpenAI({ baseURL: `${turn.url}/v1`, apiKey: 'any' }).responses(turn.model)),
  ],
  [
    'ai with @ai-sdk/open-responses',
    (turn) =>
      aiSdk(turn, createOpenResponses({ name: 'd', url: `${turn.url}/v1/responses`, apiKey: 'any' })(turn.model)),
  ],
  [
    'ai with @ai-sdk/anthropic',
    (turn) => aiSdk(turn, createAnthropic({ baseURL: `${turn.url}/v1`, apiKey: 'any' })(turn.model)),
  ],
]);

async function runTools({ url, model, request, tools }: SdkTurn, stream: boolean): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
  const body = {
    model,
    messages: [{ role: 'user' as const, content: request }],
    tools: tools.map(({ name, description, parameters, run }) => ({
      type: 'function' as const,
      function: {
        name,
        description,
        parameters,
        parse: (text: string): Record<string, unknown> => JSON.parse(text),
        function: run,
      },
    })),
  };
  const runner = stream
    ? client.chat.completions.runTools({ ...body, stream: true })
    : client.chat.completions.runTools({ ...body, stream: false });
  return (await runner.finalContent()) ?? '';
}

/** The SDK has no loop of its own for this API. */
async function responses({ url, model, request, tools }: SdkTurn, stream: boolean): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 });
  const declared = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...parameters },
    strict: false,
  }));
  let input: ResponseInput = [{ role: 'user', content: request }];
  let previous = {};
  for (;;) {
    const body = { model, input, tools: declared, ...previous };
    const response = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create({ ...body, stream: false });
    const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    if (calls.length === 0) return response.output_text;
    previous = { previous_response_id: response.id };
    input = [];
    for (const { call_id, name, arguments: json } of calls) {
      const output = (await tools.find((each) => each.name === name)?.run(JSON.parse(json))) ?? '';
      input.push({ type: 'function_call_output', call_id, output });
    }
  }
}

async function toolRunner({ url, model, request, tools }: SdkTurn, stream: boolean): Promise<string> {
  const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 });
  const runner = client.beta.messages.toolRunner({
    model,
    max_tokens: 1000,
    messages: [{ role: 'user', content: request }],
    tools: tools.map(({ name, description, parameters, run }) => ({
      type: 'custom' as const,
      name,
      description,
      input_schema: parameters,
      parse: (values: unknown) => Object.fromEntries(Object.entries(values ?? {})),
      run,
    })),
    stream,
  });
  const { content } = await runner.runUntilDone();
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function ollamaChat({ url, model, request, tools }: SdkTurn, stream: boolean): Promise<string> {
  const messages = [{ role: 'user', content: request }];
  return (await runOllamaTurn(new Ollama({ host: url }), { model, messages, tools, stream })).text;
}

async function aiSdk({ request, tools }: SdkTurn, model: LanguageModel): Promise<string> {
  const runnable: ToolSet = Object.fromEntries(
    tools.map(({ name, description, parameters, run }) => [
      name,
      tool({ description, inputSchema: jsonSchema<Arguments>({ ...parameters }), execute: (values) => run(values) }),
    ]),
  );
  const result = streamText({
    model,
    prompt: request,
    tools: runnable,
    stopWhen: stepCountIs(6),
    maxRetries: 0,
    maxOutputTokens: 1000,
    // Whatever goes wrong comes out of `text` as well.
    onError: () => {},
  });
  return result.text;
}
