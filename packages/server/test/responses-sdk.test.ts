import { sample } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { FunctionTool, ResponseInput, ResponseOutputItem } from 'openai/resources/responses/responses';
import { beforeEach, describe, expect, it } from 'vitest';
import { codingTools } from './coding-tools.ts';
import { demoProject } from './demo-project.ts';
import { RecordedResponses } from './recorded-responses.ts';
import { demoModels } from './start-demo-gateway.ts';

const secret = 'Ünïque-🦜-4711';

const project = demoProject({
  'package.json': `{\n  "name": "${secret}"\n}\n`,
  'notes.txt': 'listen on 18765\n',
});
let recorded: RecordedResponses;
let client: OpenAI;
let ran: string[];

beforeEach(() => {
  recorded = new RecordedResponses();
  client = new OpenAI({ baseURL: project.gateway.baseURL, apiKey: 'any', maxRetries: 0, fetch: recorded.fetch });
  ran = [];
});

const tools = (): FunctionTool[] =>
  codingTools(project.folder).map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters: { ...parameters },
    strict: false,
  }));

/** Runs the calls of an output for real, as an agent does. */
async function results(output: readonly ResponseOutputItem[]): Promise<ResponseInput> {
  const items: ResponseInput = [];
  for (const item of output) {
    if (item.type !== 'function_call') continue;
    ran.push(item.name);
    const tool = codingTools(project.folder).find(({ name }) => name === item.name);
    const text = (await tool?.run(JSON.parse(item.arguments))) ?? '';
    items.push({ type: 'function_call_output', call_id: item.call_id, output: text });
  }
  return items;
}

const forms = [
  ['streamed', true],
  ['whole', false],
] as const;

async function ask(streamed: boolean, body: Parameters<typeof client.responses.stream>[0]) {
  if (streamed) return client.responses.stream(body).finalResponse();
  return client.responses.create({ ...body, stream: false } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
}

describe.each(sample(demoModels, 1))('the Responses API of the OpenAI SDK with %s', (model) => {
  it.each(forms)('C-130 %s: two calls, their results, an answer with what only the files hold', async (_, streamed) => {
    const input: ResponseInput = [{ role: 'user', content: 'Read package.json and notes.txt.' }];
    const body = { model, instructions: 'You are a coding agent.', tools: tools(), store: false };
    const first = await ask(streamed, { ...body, input });
    expect(first.output.filter(({ type }) => type === 'function_call')).toHaveLength(2);
    input.push(...(first.output as ResponseInput), ...(await results(first.output)));
    const second = await ask(streamed, { ...body, input });
    expect(ran).toEqual(['read', 'read']);
    expect(second.output_text).toContain(secret);
    expect(second.output_text).toContain('18765');
    expect(second.usage?.total_tokens).toBeGreaterThan(0);
    await recorded.checked();
  });

  it.each(forms)('C-131 %s: goes on with previous_response_id and only the results', async (_, streamed) => {
    const body = { model, tools: tools() };
    const first = await ask(streamed, { ...body, input: 'Read package.json and tell me its name.' });
    const second = await ask(streamed, {
      ...body,
      previous_response_id: first.id,
      input: await results(first.output),
    });
    expect(second.previous_response_id).toBe(first.id);
    expect(second.output_text).toContain(secret);
    const prompt = project.gateway.turns.at(-1)?.messages.map(({ text }) => text);
    expect(prompt?.join('\n')).toContain('tell me its name');
    await recorded.checked();
  });
});

describe('the Responses API of the gateway', () => {
  const model = 'demo';

  it('C-131 string and items ask the same', async () => {
    const one = await client.responses.create({ model, input: 'Hello, who are you?' });
    const other = await client.responses.create({ model, input: [{ role: 'user', content: 'Hello, who are you?' }] });
    expect(one.output_text).toContain('demo model');
    expect(other.output_text).toBe(one.output_text);
    await recorded.checked();
  });

  it('C-131 a stored response can be read, listed, deleted, and is then gone', async () => {
    const made = await client.responses.create({ model, input: 'Hello', metadata: { turn: '1' } });
    expect(await client.responses.retrieve(made.id)).toMatchObject({ id: made.id, metadata: { turn: '1' } });
    const items = await client.responses.inputItems.list(made.id);
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', id: expect.any(String), content: [{ type: 'input_text', text: 'Hello' }] },
    ]);
    await client.responses.delete(made.id);
    await expect(client.responses.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.delete(made.id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' });
    await expect(client.responses.create({ model, input: 'x', previous_response_id: made.id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
  });

  it('C-131 store: false keeps nothing', async () => {
    const made = await client.responses.create({ model, input: 'Hello', store: false });
    await expect(client.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.inputItems.list(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.cancel(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it('C-131 a streamed response can be continued the moment it has ended, over several turns', async () => {
    let previous: string | undefined;
    for (const input of ['My word is heliotrope.', 'Hello again.', 'Goodbye.']) {
      const stream = client.responses.stream({
        model,
        input,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
      for await (const event of stream) if (event.type === 'response.completed') previous = event.response.id;
    }
    const prompt = project.gateway.turns.at(-1)?.messages.map(({ text }) => text);
    expect(prompt?.join('\n')).toContain('heliotrope');
    await recorded.checked();
  });

  it('a response cannot be cancelled when it is over, and pages of input items follow each other', async () => {
    const input: ResponseInput = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
    const made = await client.responses.create({ model, input });
    await expect(client.responses.cancel(made.id)).rejects.toMatchObject({ status: 400 });
    const ids: (string | undefined)[] = [];
    for await (const item of client.responses.inputItems.list(made.id, { limit: 2, order: 'asc' })) ids.push(item.id);
    expect(new Set(ids).size).toBe(3);
  });

  it('compacts a conversation into one item that stands for it', async () => {
    const compacted = await client.responses.compact({ model, input: 'Remember the word heliotrope.' });
    expect(compacted.object).toBe('response.compaction');
    expect(compacted.output).toMatchObject([{ type: 'compaction', encrypted_content: expect.any(String) }]);
    const next = await client.responses.create({
      model,
      input: [...compacted.output, { role: 'user', content: 'Hello' }] as ResponseInput,
    });
    expect(next.status).toBe('completed');
    const prompt = project.gateway.turns.at(-1)?.messages.map(({ text }) => text);
    expect(prompt?.join('\n')).toContain('Summary of the conversation so far');
    const bare = await fetch(`${project.gateway.baseURL}/responses/compact`, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(400);
  });

  it('C-134 C-135 C-136 refuses what the API refuses, naming the place', async () => {
    const refused = async (body: object) => {
      const answer = await fetch(`${project.gateway.baseURL}/responses`, {
        method: 'POST',
        body: JSON.stringify({ model, input: 'x', ...body }),
      });
      return { status: answer.status, ...(await answer.json()).error };
    };
    expect(
      await refused({
        input: [
          { role: 'user', content: 'a' },
          { role: 'user', content: [{ type: 'output_text', text: 'b' }] },
        ],
      }),
    ).toMatchObject({ status: 400, type: 'invalid_request', param: 'input[1].content[0].type' });
    expect(await refused({ tools: [{ type: 'function', function: { name: 'read' } }] })).toMatchObject({
      status: 400,
      param: 'tools[0]',
      message: expect.stringContaining('Chat Completions'),
    });
    expect(await refused({ model: 'demo/unknown' })).toMatchObject({ status: 404, type: 'not_found' });
  });

  it('keeps one key from what another stored', async () => {
    const { startTestGateway } = await import('./start-test-gateway.ts');
    const keys = ['one', 'two'].map((name) => ({ name, key: `key-${name}` }));
    const shared = await startTestGateway({ config: { keys } });
    const as = (name: string) => new OpenAI({ baseURL: `${shared.url}/v1`, apiKey: `key-${name}`, maxRetries: 0 });
    const made = await as('one').responses.create({ model, input: 'Hello' });
    await expect(as('two').responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect(await as('one').responses.retrieve(made.id)).toMatchObject({ id: made.id });
    await shared.close();
  });
});
