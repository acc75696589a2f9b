import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { sample } from '@dragoman/testkit';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Arguments } from './coding-tool.ts';
import { codingTools } from './coding-tools.ts';
import { demoProject } from './demo-project.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { demoModels } from './start-demo-gateway.ts';

const secret = 'naïve-🦉-0815';
const guide = 'The guide begins here.';

const project = demoProject({
  'package.json': `{\n  "name": "${secret}"\n}\n`,
  'docs/guide.md': `${guide}\n`,
  'src/main.ts': 'export const answer = 42; // TODO explain\n',
});
let recorded: RecordedFetch;
let ran: { name: string; values: unknown }[];

beforeEach(() => {
  recorded = new RecordedFetch();
  ran = [];
});

const modelOf = (id: string) =>
  createOpenAICompatible({
    name: 'dragoman',
    baseURL: project.gateway.baseURL,
    apiKey: 'any',
    includeUsage: true,
    fetch: recorded.fetch,
  })(id);

/** The eleven tools as the AI SDK takes them: it checks the arguments against the schema before it runs one. */
function tools(): ToolSet {
  return Object.fromEntries(
    codingTools(project.folder).map(({ name, description, parameters, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Arguments>({ ...parameters }),
        execute: async (values) => {
          ran.push({ name, values });
          return run(values);
        },
      }),
    ]),
  );
}

const settings = (model: string, prompt: string) => ({
  model: modelOf(model),
  system: 'You are a coding agent.',
  tools: tools(),
  stopWhen: stepCountIs(6),
  maxRetries: 0,
  prompt,
});

interface Outcome {
  readonly text: string;
  readonly steps: number;
  readonly finishReason: string;
  readonly tokens: number | undefined;
}

async function streamed(model: string, prompt: string): Promise<Outcome> {
  const errors: unknown[] = [];
  const result = streamText({ ...settings(model, prompt), onError: ({ error }) => void errors.push(error) });
  let deltas = '';
  for await (const piece of result.textStream) deltas += piece;
  expect(errors).toEqual([]);
  const [steps, text] = [await result.steps, await result.text];
  expect(deltas.endsWith(text)).toBe(true);
  return {
    text,
    steps: steps.length,
    finishReason: await result.finishReason,
    tokens: (await result.usage).totalTokens,
  };
}

async function whole(model: string, prompt: string): Promise<Outcome> {
  const { text, steps, finishReason, usage } = await generateText(settings(model, prompt));
  return { text, steps: steps.length, finishReason, tokens: usage.totalTokens };
}

describe.each(sample(demoModels, 1))('the AI SDK with %s', (model) => {
  describe.each([
    ['streamText', streamed],
    ['generateText', whole],
  ] as const)('%s', (_, ask) => {
    it('B-183 B-181 A-267 two steps: a call, its result, an answer with what only the file holds', async () => {
      const outcome = await ask(model, 'Read package.json and tell me its name.');
      expect(ran).toEqual([{ name: 'read', values: { filePath: 'package.json' } }]);
      expect(outcome).toMatchObject({ steps: 2, finishReason: 'stop', tokens: expect.any(Number) });
      expect(outcome.text).toContain(secret);
      await recorded.checkedTurns();
    });

    it("B-183 A-212 B-195 four steps with OpenCode's eleven tools: list, read, edit on the disk, answer", async () => {
      const outcome = await ask(
        model,
        'List the files in docs/, then read docs/guide.md, then replace "begins" with "ends" in docs/guide.md.',
      );
      expect(ran.map(({ name }) => name)).toEqual(['list', 'read', 'edit']);
      expect(await project.folder.read('docs/guide.md')).toBe('The guide ends here.\n');
      expect(outcome).toMatchObject({ steps: 4, finishReason: 'stop' });
      expect(outcome.text).toContain(guide);
      await recorded.checkedTurns();
    });

    it('B-183 E-016 three calls in one step, each with its own result', async () => {
      const outcome = await ask(model, 'Read package.json, docs/guide.md and src/main.ts.');
      expect(ran).toHaveLength(3);
      expect(outcome.steps).toBe(2);
      for (const content of [secret, guide, 'answer = 42']) expect(outcome.text).toContain(content);
      await recorded.checkedTurns();
    });

    it('B-195 runs a command and searches: values have the types of the schema', async () => {
      const outcome = await ask(model, 'Run cat docs/guide.md, then search for "TODO" in src.');
      expect(ran.map(({ name }) => name)).toEqual(['bash', 'grep']);
      expect(outcome.text).toContain(guide);
      expect(outcome.text).toContain('src/main.ts');
      await recorded.checkedTurns();
    });

    it('A-268 error case: a tool that throws is told to the model', async () => {
      const outcome = await ask(model, 'Read missing.txt and package.json.');
      expect(outcome.text).toContain('ENOENT');
      expect(outcome.text).toContain(secret);
      await recorded.checkedTurns();
    });

    it('A-268 B-191 simple question: text, one step, no call', async () => {
      const outcome = await ask(model, 'Hello, who are you?');
      expect(ran).toEqual([]);
      expect(outcome).toMatchObject({ steps: 1, finishReason: 'stop' });
      expect(outcome.text).toContain('demo model');
    });
  });

  it('B-191 without tools: plain text, streamed', async () => {
    const result = streamText({ model: modelOf(model), prompt: 'Hello!', maxRetries: 0 });
    expect(await result.text).toContain('demo model');
    const [exchange] = await recorded.exchanges();
    expect(exchange?.answer).not.toContain('tool_calls');
    await recorded.checkedTurns();
  });

  it('B-183 reasoning arrives as reasoning, apart from text and call', async () => {
    const result = streamText({ ...settings(model, 'Think hard, then read package.json.'), stopWhen: stepCountIs(1) });
    const [step] = await result.steps;
    expect(step?.reasoningText).toContain('read');
    expect(step?.text).not.toContain('think>');
    expect(step?.toolCalls).toMatchObject([{ toolName: 'read', input: { filePath: 'package.json' } }]);
    await recorded.checkedTurns();
  });

  it("A-268 long conversation: the SDK's own history goes back in, and the next request is answered", async () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read package.json.' }];
    for (const next of ['Now read docs/guide.md.', 'List the files in src/.', undefined]) {
      const { prompt: _, ...rest } = settings(model, '');
      const result = streamText({ ...rest, messages });
      messages.push(...(await result.response).messages);
      if (next !== undefined) messages.push({ role: 'user', content: next });
      else expect(await result.text).toContain('main.ts');
    }
    expect(ran.map(({ name }) => name)).toEqual(['read', 'read', 'list']);
    const ids = (await recorded.checkedTurns()).flatMap(({ aiSdk }) => aiSdk.calls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
  });
});
