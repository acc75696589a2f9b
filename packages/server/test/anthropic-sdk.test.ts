import Anthropic from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { anthropicViolations, sample } from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodingTool } from './coding-tool.ts';
import { codingTools } from './coding-tools.ts';
import { demoProject } from './demo-project.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { demoModels } from './start-demo-gateway.ts';

const secret = 'Ünïque-🦜-4711';
const port = 'listen on 18765';

const project = demoProject({
  'package.json': `{\n  "name": "${secret}"\n}\n`,
  'notes.txt': `# Notes\n\n${port}\n  <b>bold</b> "quoted" \\ back`,
  'docs/guide.md': 'The guide begins here.\n',
});
let recorded: RecordedFetch;
let client: Anthropic;
let ran: { name: string; values: unknown }[];

beforeEach(() => {
  recorded = new RecordedFetch();
  client = new Anthropic({ baseURL: project.gateway.url, apiKey: 'any', maxRetries: 0, fetch: recorded.fetch });
  ran = [];
});

afterEach(async () => {
  for (const { contentType, answer } of await recorded.exchanges()) {
    if (contentType.startsWith('text/event-stream')) expect(anthropicViolations(answer)).toEqual([]);
  }
});

const system = [
  { type: 'text' as const, text: 'You are a coding agent.', cache_control: { type: 'ephemeral' as const } },
];
const declared = () =>
  codingTools(project.folder).map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
const asked = (content: string): MessageParam[] => [{ role: 'user', content }];

/** A tool as the SDK's own runner takes it. */
function runnable(tool: CodingTool): BetaRunnableTool<Record<string, unknown>> {
  return {
    type: 'custom',
    name: tool.name,
    description: tool.description,
    input_schema: tool.parameters,
    parse: (values) => Object.fromEntries(Object.entries(values ?? {})),
    run: (values) => {
      ran.push({ name: tool.name, values });
      return tool.run(values);
    },
  };
}

/** A whole agent turn with the SDK's own loop; returns what it said last. */
async function turn(model: string, content: string, { stream }: { readonly stream: boolean }): Promise<string> {
  const runner = client.beta.messages.toolRunner({
    model,
    system,
    max_tokens: 1000,
    messages: [{ role: 'user', content }],
    tools: codingTools(project.folder).map((tool) => runnable(tool)),
    stream,
  });
  const last = await runner.runUntilDone();
  return last.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

const forms = [
  ['streamed', { stream: true }],
  ['whole', { stream: false }],
] as const;

describe.each(sample(demoModels, 1))('the Anthropic SDK with %s', (model) => {
  describe.each(forms)('%s', (_, form) => {
    it('one tool round: the answer holds what only the file holds', async () => {
      const answer = await turn(model, 'Read package.json and tell me its name.', form);
      expect(ran).toEqual([{ name: 'read', values: { filePath: 'package.json' } }]);
      expect(answer).toContain(secret);
      // The first request asks for a thread, which is refused in a form that makes the SDK go on without one.
      expect((await recorded.exchanges()).map(({ status }) => status)).toEqual([400, 200, 200]);
    });

    it('two calls in one turn, their results found by id', async () => {
      const answer = await turn(model, 'Read package.json and notes.txt.', form);
      expect(ran.map(({ values }) => values)).toEqual([{ filePath: 'package.json' }, { filePath: 'notes.txt' }]);
      expect(answer).toContain(secret);
      expect(answer).toContain(port);
    });

    it('three rounds, which edit a file on the disk', async () => {
      const request =
        'List the files in docs/, then read docs/guide.md, then replace "begins" with "ends" in docs/guide.md.';
      await turn(model, request, form);
      expect(ran.map(({ name }) => name)).toEqual(['list', 'read', 'edit']);
      expect(await project.folder.read('docs/guide.md')).toBe('The guide ends here.\n');
      expect(await recorded.exchanges()).toHaveLength(5);
    });

    it('an error result (is_error) is told to the model', async () => {
      const answer = await turn(model, 'Read missing.txt.', form);
      const last = (await recorded.exchanges()).at(-1);
      expect(last?.request).toContain('"is_error":true');
      expect(answer).toContain('ENOENT');
    });

    it('a simple question: no call', async () => {
      expect(await turn(model, 'Hello, who are you?', form)).toContain('demo model');
      expect(ran).toEqual([]);
    });
  });

  it('streams input_json_delta: stream() sees text, then the call growing, then tool_use', async () => {
    const seen: string[] = [];
    const stream = client.messages
      .stream({ model, system, max_tokens: 1000, messages: asked('Read package.json.'), tools: declared() })
      .on('text', () => seen.push('text'))
      .on('inputJson', (piece) => seen.push(`json ${piece}`))
      .on('contentBlock', ({ type }) => seen.push(`end ${type}`));
    const message = await stream.finalMessage();
    expect(message).toMatchObject({ stop_reason: 'tool_use', model, role: 'assistant', type: 'message' });
    expect(message.content.at(-1)).toMatchObject({
      type: 'tool_use',
      id: expect.stringMatching(/^[\w-]{1,64}$/),
      name: 'read',
      input: { filePath: 'package.json' },
    });
    expect(seen.filter((each) => each.startsWith('json')).length).toBeGreaterThan(1);
    expect(seen.indexOf('end text')).toBeLessThan(seen.findIndex((each) => each.startsWith('json')));
    expect(message.usage.input_tokens).toBeGreaterThan(10);
    expect(message.usage.output_tokens).toBeGreaterThan(1);
  });

  it('tool_choice any and tool call, none does not; disable_parallel_tool_use gives one call', async () => {
    const create = (content: string, tool_choice: Anthropic.ToolChoice) =>
      client.messages.create({ model, max_tokens: 1000, messages: asked(content), tools: declared(), tool_choice });
    const callsOf = ({ content }: Anthropic.Message) => content.filter(({ type }) => type === 'tool_use');
    const both = 'Read package.json and notes.txt.';
    expect(callsOf(await create(both, { type: 'none' }))).toEqual([]);
    expect(callsOf(await create(both, { type: 'auto' }))).toHaveLength(2);
    expect(callsOf(await create(both, { type: 'any', disable_parallel_tool_use: true }))).toHaveLength(1);
    expect(callsOf(await create(both, { type: 'tool', name: 'read' }))[0]).toMatchObject({ name: 'read' });
  });

  it('counts the tokens of what the model would see', async () => {
    const count = (fields: object) =>
      client.messages.countTokens({ model, messages: asked('Read package.json.'), ...fields });
    const bare = (await count({})).input_tokens;
    const taught = (await count({ tools: declared(), system })).input_tokens;
    expect(bare).toBeGreaterThan(2);
    expect(taught).toBeGreaterThan(bare + 100);
    const message = await client.messages.create({ model, max_tokens: 100, messages: asked('Read package.json.') });
    expect(message.usage.input_tokens).toBeGreaterThanOrEqual(bare);
  });
});

describe('the Anthropic SDK with the gateway', () => {
  it('reads what Claude Code sends: any query, betas, markers, system entries, deferred and server tools', async () => {
    const message = await client.beta.messages.create({
      model: 'demo',
      max_tokens: 16_000,
      betas: ['interleaved-thinking-2025-05-14', 'no-such-beta'],
      system: [{ type: 'text', text: 'x-anthropic-billing-header: x;' }, ...system],
      metadata: { user_id: '{"device_id":"x"}' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [] },
      output_config: { effort: 'high' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read package.json.', cache_control: { type: 'ephemeral' } }] },
        { role: 'system', content: 'The date has changed.' },
      ],
      tools: [
        ...declared().map((tool) => ({ ...tool, defer_loading: true })),
        { type: 'web_search_20250305', name: 'web_search' },
      ],
    });
    expect(message).toMatchObject({ stop_reason: 'tool_use' });
    expect(message.content.at(-1)).toMatchObject({ type: 'tool_use', input: { filePath: 'package.json' } });
    const record = await project.gateway.record(
      ({ warnings }) => warnings !== undefined && 'tool-dropped' in Object(warnings),
    );
    expect(record.route).toBe('/v1/messages');
  });

  it('answers with the id of the request, in the header that the SDK reads', async () => {
    const { _request_id: id } = await client.messages.create({ model: 'demo', max_tokens: 9, messages: asked('Hi') });
    expect(id).toMatch(/^req_/);
  });

  it('lists the models as Anthropic does', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(expect.arrayContaining(demoModels));
    const model = await client.models.retrieve('demo/hermes');
    expect(model).toMatchObject({ type: 'model', display_name: 'demo/hermes', max_input_tokens: 32_768 });
    await expect(client.models.retrieve('nope')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('reports mistakes as the errors that the SDK knows', async () => {
    const create = (fields: object) =>
      client.messages.create({ model: 'demo', max_tokens: 9, messages: asked('Hi'), ...fields });
    await expect(create({ model: 'demo/herms' })).rejects.toMatchObject({ status: 404, type: 'not_found_error' });
    const wrong = create({ messages: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] });
    await expect(wrong).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(wrong).rejects.toThrow('messages[0].content[0].type');
    await expect(wrong).rejects.toMatchObject({
      type: 'invalid_request_error',
      requestID: expect.stringMatching(/^req_/),
    });
    await expect(create({ max_tokens: undefined })).rejects.toThrow('max_tokens');
  });
});
