import { sample } from '@dragoman/testkit';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CodingTool } from './coding-tool.ts';
import { codingTools } from './coding-tools.ts';
import { demoProject } from './demo-project.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { demoModels } from './start-demo-gateway.ts';

const secret = 'Ünïque-🦜-4711';
const port = 'listen on 18765';

const project = demoProject({
  'package.json': `{\n  "name": "${secret}",\n  "private": true\n}\n`,
  'notes.txt': `# Notes\n\n${port}\n  indented & <b>bold</b> "quoted" \\ back`,
  'docs/guide.md': 'The guide begins here.\n',
});
let recorded: RecordedFetch;
let client: OpenAI;
let ran: { name: string; values: unknown }[];

beforeEach(() => {
  recorded = new RecordedFetch();
  client = new OpenAI({ baseURL: project.gateway.baseURL, apiKey: 'any', maxRetries: 0, fetch: recorded.fetch });
  ran = [];
});

const tools = () => codingTools(project.folder).map((tool) => runnable(tool));

/** A tool as the SDK's runner takes it. Failures are told to the model, as agents do. */
function runnable(tool: CodingTool) {
  return {
    type: 'function' as const,
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      parse: (text: string): Record<string, unknown> => JSON.parse(text),
      function: async (values: Record<string, unknown>) => {
        ran.push({ name: tool.name, values });
        try {
          return await tool.run(values);
        } catch (thrown) {
          return `Error: ${thrown instanceof Error ? thrown.message : thrown}`;
        }
      },
    },
  };
}

const declared = () =>
  codingTools(project.folder).map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));

const asked = (content: string): ChatCompletionMessageParam[] => [
  { role: 'system', content: 'You are a coding agent.' },
  { role: 'user', content },
];

/** A whole agent turn with the SDK's own loop; returns what it said last. */
async function turn(model: string, content: string, { stream }: { readonly stream: boolean }): Promise<string | null> {
  const messages = asked(content);
  const runner = stream
    ? client.chat.completions.runTools({ model, messages, tools: tools(), stream: true })
    : client.chat.completions.runTools({ model, messages, tools: tools(), stream: false });
  return runner.finalContent();
}

const forms = [
  ['streamed', { stream: true }],
  ['whole', { stream: false }],
] as const;

describe.each(sample(demoModels, 1))('the OpenAI SDK with %s', (model) => {
  describe.each(forms)('%s', (_, form) => {
    it('B-180 B-181 B-120 A-267 one tool round, the full result cycle: the answer holds what only the file holds', async () => {
      const answer = await turn(model, 'Read package.json and tell me its name.', form);
      expect(ran).toEqual([{ name: 'read', values: { filePath: 'package.json' } }]);
      expect(answer).toContain(secret);
      await recorded.checkedTurns();
    });

    it('A-268 E-016 reads two files in one turn', async () => {
      const answer = await turn(model, 'Read package.json and notes.txt.', form);
      expect(ran.map(({ values }) => values)).toEqual([{ filePath: 'package.json' }, { filePath: 'notes.txt' }]);
      expect(answer).toContain(secret);
      expect(answer).toContain(port);
      expect(await recorded.exchanges()).toHaveLength(2);
      await recorded.checkedTurns();
    });

    it('A-212 A-267 up to three rounds: lists, reads, edits the file on the disk, then answers', async () => {
      const request =
        'List the files in docs/, then read docs/guide.md, then replace "begins" with "ends" in docs/guide.md.';
      const answer = await turn(model, request, form);
      expect(ran.map(({ name }) => name)).toEqual(['list', 'read', 'edit']);
      expect(await project.folder.read('docs/guide.md')).toBe('The guide ends here.\n');
      expect(answer).toContain('guide.md');
      expect(answer).toContain('The guide begins here.');
      expect(await recorded.exchanges()).toHaveLength(4);
      await recorded.checkedTurns();
    });

    it('A-268 create file: what is read arrives in the new file byte for byte', async () => {
      await turn(model, 'Read notes.txt, then write its contents to copy.txt.', form);
      expect(ran.map(({ name }) => name)).toEqual(['read', 'write']);
      expect(await project.folder.read('copy.txt')).toBe(await project.folder.read('notes.txt'));
      await recorded.checkedTurns();
    });

    it('A-268 error case: a missing file is told to the model and reaches the answer', async () => {
      const answer = await turn(model, 'Read missing.txt.', form);
      expect(ran).toHaveLength(1);
      expect(answer).toContain('ENOENT');
      await recorded.checkedTurns();
    });

    it('A-267 A-268 B-191 text request, simple question: no call, and nothing of the dialect in the answer', async () => {
      const answer = await turn(model, 'Hello, who are you?', form);
      expect(ran).toEqual([]);
      expect(answer).toContain('demo model');
      await recorded.checkedTurns();
    });
  });

  it('B-182 A-267 tool streaming: stream() sees tool_calls deltas and the finish reason tool_calls', async () => {
    const stream = client.chat.completions.stream({
      model,
      messages: asked('Read package.json.'),
      tools: declared(),
      stream_options: { include_usage: true },
    });
    const fragments: string[] = [];
    for await (const chunk of stream) {
      for (const call of chunk.choices[0]?.delta.tool_calls ?? []) fragments.push(call.function?.arguments ?? '');
    }
    const completion = await stream.finalChatCompletion();
    const [choice] = completion.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.content).toContain('read');
    expect(JSON.parse(fragments.join(''))).toEqual({ filePath: 'package.json' });
    expect(choice?.message.tool_calls).toMatchObject([
      { id: expect.stringMatching(/^\S{1,64}$/), type: 'function', function: { name: 'read' } },
    ]);
    expect(completion.usage).toMatchObject({ prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) });
    const [checked] = await recorded.checkedTurns();
    expect(checked?.copilot.begin).toEqual({ name: 'read', spaced: true });
    expect(checked?.copilot.usage?.total).toBe(completion.usage?.total_tokens);
  });

  it('E-015 E-013: the next request shows the model its call and the result beside it, found by the id it was given', async () => {
    project.gateway.turns.length = 0;
    await turn(model, 'Read package.json and docs/guide.md.', { stream: true });
    const prompt =
      project.gateway.turns
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join('\n') ?? '';
    expect(prompt.indexOf('The guide begins here.')).toBeGreaterThan(prompt.indexOf(secret));
    expect(prompt.indexOf(secret)).toBeGreaterThan(prompt.lastIndexOf('docs/guide.md', prompt.indexOf(secret)));
  });

  it('A-268 long conversation, then a new one: ids never repeat, and every request finds its own answer', async () => {
    const messages = asked('Read package.json.');
    const ids: string[] = [];
    for (const next of ['And read notes.txt.', 'Now list the files in docs/.', 'Read docs/guide.md.', undefined]) {
      const runner = client.chat.completions.runTools({ model, messages, tools: tools(), stream: true });
      await runner.done();
      messages.splice(0, messages.length, ...runner.messages);
      if (next !== undefined) messages.push({ role: 'user', content: next });
    }
    for (const message of messages) {
      if (message.role === 'assistant') for (const call of message.tool_calls ?? []) ids.push(call.id);
    }
    expect(ran.map(({ name }) => name)).toEqual(['read', 'read', 'list', 'read']);
    expect(new Set(ids).size).toBe(4);
    expect(JSON.stringify(messages.at(-1))).toContain('The guide begins here.');
    const fresh = await turn(model, 'Read notes.txt.', { stream: true });
    expect(fresh).toContain(port);
    expect(fresh).not.toContain('The guide');
    await recorded.checkedTurns();
  });

  it('A-268 execute tool, then answer: one call at a time where the client forbids parallel calls', async () => {
    const runner = client.chat.completions.runTools({
      model,
      messages: asked('Read package.json and notes.txt.'),
      tools: tools(),
      parallel_tool_calls: false,
      stream: true,
    });
    const answer = await runner.finalContent();
    expect(await recorded.exchanges()).toHaveLength(3);
    expect(answer).toContain(secret);
    expect(answer).toContain(port);
    for (const { aiSdk } of await recorded.checkedTurns()) expect(aiSdk.calls.length).toBeLessThanOrEqual(1);
  });
});

describe('the OpenAI SDK with the gateway', () => {
  it('B-191: without tools the same request is answered whole and streamed with the same text', async () => {
    const body = { model: 'demo', messages: asked('Hello, who are you?') };
    const whole = await client.chat.completions.create(body);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(whole.choices[0]?.message).toMatchObject({
      role: 'assistant',
      content: streamed.choices[0]?.message.content,
    });
    expect(whole.choices[0]?.message.tool_calls).toBeUndefined();
    expect(whole.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('lists the models and reports an unknown one as the SDK knows it', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(expect.arrayContaining(demoModels));
    const wrong = client.chat.completions.create({ model: 'demo/herms', messages: asked('x') });
    await expect(wrong).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(wrong).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});
