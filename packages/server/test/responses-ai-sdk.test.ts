import { createOpenResponses } from '@ai-sdk/open-responses';
import { createOpenAI } from '@ai-sdk/openai';
import { sample } from '@dragoman/testkit';
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Arguments } from './coding-tool.ts';
import { codingTools } from './coding-tools.ts';
import { demoProject } from './demo-project.ts';
import { RecordedResponses } from './recorded-responses.ts';
import { demoModels } from './start-demo-gateway.ts';

const secret = 'naïve-🦉-0815';

const project = demoProject({
  'package.json': `{\n  "name": "${secret}"\n}\n`,
  'docs/guide.md': 'The guide begins here.\n',
});
let recorded: RecordedResponses;
let ran: string[];

beforeEach(() => {
  recorded = new RecordedResponses();
  ran = [];
});

function tools(): ToolSet {
  return Object.fromEntries(
    codingTools(project.folder).map(({ name, description, parameters, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Arguments>({ ...parameters }),
        execute: async (values) => {
          ran.push(name);
          return run(values);
        },
      }),
    ]),
  );
}

const providers: readonly [string, (model: string) => LanguageModel][] = [
  [
    '@ai-sdk/openai',
    (model) =>
      createOpenAI({ baseURL: project.gateway.baseURL, apiKey: 'any', fetch: recorded.fetch }).responses(model),
  ],
  [
    '@ai-sdk/open-responses',
    (model) =>
      createOpenResponses({
        name: 'dragoman',
        url: `${project.gateway.baseURL}/responses`,
        apiKey: 'any',
        fetch: recorded.fetch,
      })(model),
  ],
];

const settings = (model: LanguageModel, prompt: string) => ({
  model,
  system: 'You are a coding agent.',
  tools: tools(),
  stopWhen: stepCountIs(6),
  maxRetries: 0,
  prompt,
});

describe.each(providers)('%s', (_, modelOf) => {
  describe.each(sample(demoModels, 1))('with %s', (id) => {
    it('C-130 streamed: list, read, edit on the disk, answer', async () => {
      const errors: unknown[] = [];
      const result = streamText({
        ...settings(
          modelOf(id),
          'List the files in docs/, then read docs/guide.md, then replace "begins" with "ends" in docs/guide.md.',
        ),
        onError: ({ error }) => void errors.push(error),
      });
      expect(await result.text).toContain('guide.md');
      expect(errors).toEqual([]);
      expect(ran).toEqual(['list', 'read', 'edit']);
      expect(await project.folder.read('docs/guide.md')).toBe('The guide ends here.\n');
      expect(await result.finishReason).toBe('stop');
      expect((await result.usage).totalTokens).toBeGreaterThan(0);
      await recorded.checked();
    });

    it('C-130 whole: two calls in one step, each with its own result', async () => {
      const { text, steps } = await generateText(
        settings(modelOf(id), 'Read package.json and docs/guide.md and tell me what they say.'),
      );
      expect(steps).toHaveLength(2);
      expect(ran).toEqual(['read', 'read']);
      expect(text).toContain(secret);
      expect(text).toContain('The guide begins here.');
      await recorded.checked();
    });
  });

  it('reports an unknown model in its own words', async () => {
    const asked = generateText({ model: modelOf('demo/nope'), prompt: 'x', maxRetries: 0 });
    await expect(asked).rejects.toThrow(/There is no model "demo\/nope"/);
  });
});
