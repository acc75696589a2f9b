import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { chatStream, startChatPlatform } from '@dragoman/testkit';
import { generateText, Output, streamText } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { description } from './platform-setup.ts';
import { readTool } from './start-test-gateway.ts';

const City = z.strictObject({ name: z.string(), people: z.int() });
const graz = { name: 'Graz', people: 300_000 };
const fitting = JSON.stringify(graz);
const wrong = '{"name": "Graz", "people": "many"}';
const misfit = '$.people must be a whole number, not a string';
const prompt = 'Name a city.';
const messages = [{ role: 'user' as const, content: prompt }];
const tool = { ...readTool, type: 'function' as const };
const response_format = zodResponseFormat(City, 'city');

/** A model that reads only text and says these one after another, and a gateway in front of it. */
async function saying(replies: readonly string[], rule: object = {}) {
  const upstream = await upstreamForTest();
  upstream.next(...replies.map((text) => chatStream(text, { pieces: 5 })));
  const m = { toolCalling: { dialect: 'hermes' }, outputFormat: 'taught', ...rule };
  const config = { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m } } } };
  const gateway = await gatewayForTest({ config });
  const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
  const model = createOpenAICompatible({
    name: 'dragoman',
    baseURL: `${gateway.url}/v1`,
    supportsStructuredOutputs: true,
  })('up/m');
  const sent = () => upstream.requests.map(({ text }) => JSON.parse(text).messages);
  return { gateway, openai, model, sent };
}

/** What models write that were only told to write JSON. */
const written: readonly (readonly [what: string, text: string])[] = [
  ['bare JSON', fitting],
  ['a fence', `\`\`\`json\n${fitting}\n\`\`\``],
  ['prose around it', `Sure! Here is a city:\n\n${fitting}\n\nLet me know if you need another.`],
  ['a trailing comma', '{"name": "Graz", "people": 300000,}'],
  ["Python's quotes", "{'name': 'Graz', 'people': 300000}"],
  ['a number in quotes', '{"name": "Graz", "people": "300000"}'],
  ['a string that holds it', JSON.stringify(fitting)],
];

describe.each(written)('A-051 %s is an answer that clients can read', (_, text) => {
  it('by the OpenAI SDK, whole and streamed, over both of its APIs', async () => {
    const { openai, sent } = await saying([text, text, text]);
    const whole = await openai.chat.completions.parse({ model: 'up/m', messages, response_format });
    expect(whole.choices[0]?.message.parsed).toEqual(graz);
    const stream = openai.chat.completions.stream({ model: 'up/m', messages, response_format });
    expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual(graz);
    const answer = await openai.responses.parse({
      model: 'up/m',
      input: prompt,
      text: { format: zodTextFormat(City, 'city') },
    });
    expect(answer.output_parsed).toEqual(graz);
    expect(sent()).toHaveLength(3);
    expect(JSON.stringify(sent())).toContain('one JSON value and nothing else');
  });

  it('by the AI SDK, whole and streamed', async () => {
    const { model } = await saying([text, text]);
    const output = Output.object({ schema: City });
    expect((await generateText({ model, prompt, output })).output).toEqual(graz);
    const stream = streamText({ model, prompt, output });
    const partial: unknown[] = [];
    for await (const each of stream.partialOutputStream) partial.push(each);
    expect(await stream.output).toEqual(graz);
    expect(partial.at(-1)).toEqual(graz);
  });
});

const linz = '{"name": "Linz", "people": 200000}';
const fenced = (json: string) => `\`\`\`json\n${json}\n\`\`\``;

it.each([
  [
    'behind an example and a draft that fit',
    `Such as:\n${fenced(linz)}\nOr\n${linz}\nThe answer:\n${fenced(fitting)}\n`,
  ],
  ['before an example that fits', `${fenced(fitting)}\n\nFor comparison, another one:\n${fenced(linz)}\n`],
])('A-051 the answer %s is the same whole and streamed', async (_, text) => {
  const { openai, model } = await saying([text, text, text, text]);
  const whole = await openai.chat.completions.parse({ model: 'up/m', messages, response_format });
  expect(whole.choices[0]?.message.content).toBe(fitting);
  const stream = openai.chat.completions.stream({ model: 'up/m', messages, response_format });
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe(fitting);
  const output = Output.object({ schema: City });
  expect((await generateText({ model, prompt, output })).output).toEqual(graz);
  expect(await streamText({ model, prompt, output }).output).toEqual(graz);
});

describe('an answer that does not fit', () => {
  it('A-051 is asked for once more, with the place, after what was said; the client gets the second', async () => {
    const { gateway, openai, sent } = await saying([wrong, fitting]);
    const answer = await openai.chat.completions.parse({ model: 'up/m', messages, response_format });
    expect(answer.choices[0]?.message.content).toBe(fitting);
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    const [first, second] = sent();
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.slice(first.length)).toEqual([
      { role: 'assistant', content: wrong },
      { role: 'user', content: expect.stringContaining(misfit) },
    ]);
    const record = await gateway.record(({ warnings }) => warnings !== undefined);
    expect(record.warnings).toMatchObject({ 'answer-nudged': 1 });
    expect(record.warnings).not.toHaveProperty('format-missed');
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    );
  });

  it('A-051 also when it is no JSON at all', async () => {
    const { openai, sent } = await saying(['Graz is a fine city.', fitting]);
    const answer = await openai.chat.completions.parse({ model: 'up/m', messages, response_format });
    expect(answer.choices[0]?.message.parsed).toEqual(graz);
    expect(sent()[1].at(-1).content).toContain('The answer is not JSON.');
  });

  it('A-051 is asked for only once; the second is delivered as it is, and told of', async () => {
    const { gateway, openai, sent } = await saying([wrong, wrong, fitting]);
    const answer = await openai.chat.completions.create({ model: 'up/m', messages, response_format });
    expect(answer.choices[0]?.message.content).toBe(wrong);
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect(sent()).toHaveLength(2);
    const record = await gateway.record(({ warnings }) => warnings !== undefined);
    expect(record.warnings).toMatchObject({ 'answer-nudged': 1, 'format-missed': 1 });
  });

  it('A-051 is delivered when asking again fails', async () => {
    const { openai, sent } = await saying([wrong]);
    const answer = await openai.chat.completions.create({ model: 'up/m', messages, response_format });
    expect(answer.choices[0]?.message.content).toBe(wrong);
    expect(sent()).toHaveLength(2);
  });

  it.each<[what: string, rule: object, requests: number, said: string]>([
    ['streams by default', {}, 1, wrong],
    ['waits where the rule says once', { nudge: { answers: 'once' } }, 2, fitting],
    ['never waits where the rule says never', { nudge: { answers: 'never' } }, 1, wrong],
  ])('A-051 %s', async (_, rule, requests, said) => {
    const { openai, sent } = await saying([wrong, fitting], rule);
    const stream = await openai.chat.completions.create({ model: 'up/m', messages, response_format, stream: true });
    const pieces: string[] = [];
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '');
    expect(pieces.join('')).toBe(said);
    expect(sent()).toHaveLength(requests);
  });

  it.each<[what: string, rule: object, requests: number]>([
    ['is not asked about by default', {}, 1],
    ['is asked for again where the rule says so', { nudge: { answers: 'once' } }, 2],
  ])('A-051 of an upstream that was told the schema itself %s', async (_, rule, requests) => {
    const { openai, sent } = await saying([wrong, fitting], { toolCalling: 'native', outputFormat: 'native', ...rule });
    await openai.chat.completions.create({ model: 'up/m', messages, response_format });
    expect(sent()).toHaveLength(requests);
  });

  it.each<[what: string, toolCalling: unknown]>([
    ['one dialect', { dialect: 'hermes' }],
    ['any dialect', 'text'],
  ])(
    'A-051 of a model that writes %s is asked for again, though its upstream was told by its field, too',
    async (_, toolCalling) => {
      const { openai, sent } = await saying([wrong, fitting], { toolCalling, outputFormat: 'auto' });
      const answer = await openai.chat.completions.parse({ model: 'up/m', messages, response_format });
      expect(answer.choices[0]?.message.parsed).toEqual(graz);
      expect(sent()).toHaveLength(2);
      expect(JSON.stringify(sent()[0])).toContain('one JSON value and nothing else');
    },
  );

  it('A-051 is found after an example in prose, whole and streamed, and nothing is asked again', async () => {
    const text = `The form is {"name": "NAME", "people": "NUMBER"}.\n\n\`\`\`json\n${fitting}\n\`\`\``;
    const { openai, sent } = await saying([text, text]);
    const answer = await openai.chat.completions.parse({ model: 'up/m', messages, response_format });
    expect(answer.choices[0]?.message.parsed).toEqual(graz);
    const stream = openai.chat.completions.stream({ model: 'up/m', messages, response_format });
    expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual(graz);
    expect(sent()).toHaveLength(2);
  });

  it('A-051 is none where the model calls a tool, whatever it says before', async () => {
    const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
    const { openai, sent } = await saying([`I look it up.\n${call}`, fitting]);
    const request = { model: 'up/m', messages, response_format, tools: [tool] };
    const answer = await openai.chat.completions.create(request);
    expect(answer.choices[0]?.message).toMatchObject({ content: 'I look it up.\n', tool_calls: [{}] });
    expect(sent()).toHaveLength(1);
  });

  it('A-051 is asked for again where the model could have called a tool', async () => {
    const { openai, sent } = await saying([wrong, fitting]);
    const request = { model: 'up/m', messages, response_format, tools: [tool] };
    expect((await openai.chat.completions.create(request)).choices[0]?.message.content).toBe(fitting);
    expect(sent()).toHaveLength(2);
  });

  it('A-051 is asked for again for a client of the Messages API', async () => {
    const { gateway } = await saying([wrong, fitting]);
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 });
    const format = { type: 'json_schema' as const, schema: z.toJSONSchema(City) };
    const { content } = await client.messages.create({
      model: 'up/m',
      max_tokens: 99,
      messages,
      output_config: { format },
    });
    expect(content).toMatchObject([{ type: 'text', text: fitting }]);
  });

  it('A-051 a platform hears it in the same conversation, and the next request goes on after the second answer', async () => {
    const platform = await startChatPlatform({
      answer: ({ before }) => [wrong, fitting, 'Yes.'][before.length] ?? 'more',
    });
    onTestFinished(() => platform.close());
    const m = { toolCalling: { dialect: 'hermes' } };
    const upstreams = {
      platform: { wire: 'conversation', baseUrl: platform.baseUrl, conversation: description, models: { m } },
    };
    const gateway = await gatewayForTest({ config: { upstreams } });
    const openai = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: 'any',
      maxRetries: 0,
      defaultHeaders: { 'x-conversation-id': 'cities' },
    });
    const first = await openai.chat.completions.parse({ model: 'platform/m', messages, response_format });
    const message = first.choices[0]?.message;
    expect(message?.parsed).toEqual(graz);
    const history = [
      ...messages,
      { role: 'assistant' as const, content: message?.content ?? '' },
      { role: 'user' as const, content: 'Is it large?' },
    ];
    const next = await openai.chat.completions.create({ model: 'platform/m', messages: history });
    expect(next.choices[0]?.message.content).toBe('Yes.');
    expect(platform.chats.size).toBe(1);
    const [turns = []] = platform.chats.values();
    expect(turns).toHaveLength(3);
    expect(turns[1]?.text).toContain(misfit);
    expect(turns[2]?.text).not.toContain(prompt);
  });
});
