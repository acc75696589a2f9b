import { createClient } from '@dragoman/openresponses-client';
import { describe, expect, it } from 'vitest';
import type { EndpointDefinition } from '../read-settings.ts';
import { isTooLong, LearntLimits, limitIn } from './learnt-limits.ts';
import { agentNeeds, knowModel, limitsOf, settingOf } from './model-information.ts';
import { fits, isAllowed, ModelLists } from './model-list.ts';
import { type ListedModel, readEnrichment, readModel } from './read-model.ts';

const endpoint: EndpointDefinition = {
  id: 'local',
  name: 'Dragoman',
  url: 'http://127.0.0.1:11434',
  api: 'auto',
  toolCalling: 'auto',
  headers: {},
  shape: {},
  from: 'found',
};
const plain = { endpoint, setting: {}, learnt: undefined, effort: 'default' };
const model = (fields: Partial<ListedModel> = {}): ListedModel => ({ id: 'm', name: 'M', ...fields });

/** What the client and we read of a server's list. */
async function listed(...data: readonly object[]): Promise<readonly ListedModel[]> {
  const fetch = async () => Response.json({ object: 'list', data });
  return (await createClient({ baseUrl: 'http://server/v1', fetch }).models()).map(readModel);
}

describe('a list of models', () => {
  it('C-081: keeps what chats', async () => {
    const all = await listed(
      { id: 'a', type: 'language' },
      { id: 'text-embedding-3', type: 'embedding' },
      { id: 'flux', type: 'image' },
    );
    expect(all.map(({ id }) => id)).toEqual(['a']);
  });

  it('C-082: every field of an entry finds its place', async () => {
    const [gateway] = await listed({
      id: 'anthropic/claude-x',
      name: 'Claude X',
      context_window: 200_000,
      max_tokens: 64_000,
      tags: ['tool-use', 'vision', 'reasoning'],
      pricing: { input: '0.000003', output: '0.000015' },
    });
    expect(gateway).toEqual({
      id: 'anthropic/claude-x',
      name: 'Claude X',
      contextWindow: 200_000,
      maxOutput: 64_000,
      tools: true,
      images: true,
      reasoning: true,
      inputPrice: expect.closeTo(3),
      outputPrice: expect.closeTo(15),
    });
  });

  it('C-084: what single models say of themselves', () => {
    const endpoints = [
      { context_length: 32_768, supported_parameters: ['tools'] },
      { context_length: 131_072, max_completion_tokens: 8192 },
    ];
    const architecture = { input_modalities: ['text', 'image'] };
    expect(readEnrichment({ data: { endpoints, architecture } })).toEqual({
      contextWindow: 131_072,
      maxOutput: 8192,
      tools: true,
      images: true,
    });
    expect(readEnrichment({})).toEqual({});
  });
});

describe('what VS Code is told of a model', () => {
  it('C-082: name, family, limits that add up to the window, abilities, prices', () => {
    const listedModel = model({
      id: 'library/qwen2.5-coder:7b',
      contextWindow: 40_000,
      maxOutput: 8000,
      images: true,
      inputPrice: 1,
      outputPrice: 2,
    });
    const { id, information } = knowModel(listedModel, plain);
    expect(id).toBe('local/library/qwen2.5-coder:7b');
    expect(information).toMatchObject({
      id,
      name: 'M',
      family: 'qwen2.5-coder',
      version: 'library/qwen2.5-coder:7b',
      maxInputTokens: 32_000,
      maxOutputTokens: 8000,
      detail: 'Dragoman',
      capabilities: { imageInput: true, toolCalling: true },
    });
    expect(information.tooltip).toContain('$1.00 for a million tokens of input, $2.00 of output');
  });

  it('C-036: a selector of effort beside the picker, for models that reason', () => {
    const schema = knowModel(model({ reasoning: true }), { ...plain, effort: 'high' }).information.configurationSchema;
    expect(schema?.properties.reasoningEffort).toMatchObject({ default: 'high', group: 'navigation' });
    expect(knowModel(model(), plain).information.configurationSchema).toBeUndefined();
  });

  it('what a person knows counts for more than what was learnt, than the server, than a guess', () => {
    const of = (fields: Partial<ListedModel>, more: object) =>
      limitsOf(model(fields), { setting: {}, learnt: undefined, ...more });
    const server = { contextWindow: 64_000 };
    expect(of(server, { learnt: 16_000, setting: { contextWindow: 20_000 } })).toMatchObject({
      window: 20_000,
      source: 'settings',
    });
    expect(of(server, { learnt: 16_000 })).toMatchObject({ window: 16_000, source: 'learnt' });
    expect(of(server, {})).toMatchObject({ window: 64_000, source: 'server' });
    expect(of({ id: 'claude-9' }, {})).toMatchObject({ window: 200_000, source: 'guess' });
    expect(of({ contextWindow: 8192, maxOutput: 8192 }, {})).toMatchObject({ output: 2048, input: 6144 });
  });

  it('a model that is too small for agent mode says so, and is asked nevertheless', () => {
    const { information } = knowModel(model({ contextWindow: 8192 }), plain);
    expect(information.maxInputTokens).toBeGreaterThan(agentNeeds);
    expect(information.tooltip).toContain('Agent mode needs about 19,000 tokens');
    expect(information.detail).toContain(' · too small');
  });

  it('settings go by patterns, the later over the earlier', () => {
    const settings = {
      '*': { contextWindow: 1 },
      'qwen*': { contextWindow: 2, reasoning: true },
      'other*': { contextWindow: 3 },
    };
    expect(settingOf('qwen3', settings)).toEqual({ contextWindow: 2, reasoning: true });
  });
});

describe('patterns', () => {
  it.each([
    ['a/x', 'a/*', true],
    ['A/X', 'a/*', true],
    ['b/x', 'a/*', false],
    ['a/b/x', '*/x', true],
    ['abc', 'a*b*c', true],
    ['acb', 'a*b*c', false],
    ['aa', 'a*a*a', false],
    ['a.c', 'a?c', false],
    ['x', '*', true],
  ])('%s and %s', (text, pattern, expected) => expect(fits(text, pattern)).toBe(expected));

  it('C-085: allow and deny', () => {
    const of = (allow: readonly string[], deny: readonly string[]) =>
      ['a/x', 'a/y', 'b/x'].filter((id) => isAllowed([id, `e/${id}`], { allow, deny }));
    expect(of([], [])).toEqual(['a/x', 'a/y', 'b/x']);
    expect(of(['a/*'], ['*/x'])).toEqual(['a/y']);
    expect(of(['e/b/*'], [])).toEqual(['b/x']);
  });
});

describe('lists in memory', () => {
  const start = () => {
    const clock = { now: 1_000_000, asked: 0 };
    const lists = new ModelLists({ now: () => clock.now });
    const ask = async () => {
      clock.asked += 1;
      return [model({ id: `m${clock.asked}` })];
    };
    return { clock, lists, ask };
  };

  it('C-083: are good for five minutes, and one question at a time is asked', async () => {
    const { clock, lists, ask } = start();
    const both = await Promise.all([lists.get('e', ask), lists.get('e', ask)]);
    expect(both[0]).toBe(both[1]);
    clock.now += 299_000;
    await lists.get('e', ask);
    expect(clock.asked).toBe(1);
    clock.now += 2000;
    expect(await lists.get('e', ask)).toMatchObject([{ id: 'm2' }]);
  });

  it('C-083: stay when the server fails, and go to the server when they are cleared', async () => {
    const { lists, ask } = start();
    await lists.get('e', ask);
    lists.clear();
    expect(await lists.get('e', async () => undefined)).toMatchObject([{ id: 'm1' }]);
    expect(await lists.get('e', ask)).toMatchObject([{ id: 'm2' }]);
  });
});

describe('limits that errors tell', () => {
  it.each([
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (8001 in the messages, 1000 in the completion).",
      8192,
    ],
    ['request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it', 8192],
    [
      'The input token count (1,200,000) exceeds the maximum number of tokens allowed (1,048,576): too many tokens',
      1_048_576,
    ],
    ['Your input exceeds the context window of this model.', undefined],
    ['Rate limit reached: 500 of 400', undefined],
  ])('C-104: %s', (message, limit) => expect(limitIn(message)).toBe(limit));

  it('C-104: are kept, and told apart from what was known', async () => {
    const values = new Map<string, unknown>();
    const memory = {
      get: <Value>(key: string) => values.get(key) as Value | undefined,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
    const limits = new LearntLimits(memory);
    expect(await limits.learn('m', 'prompt is too long: 9000 > 8192')).toBe(true);
    expect(await limits.learn('m', 'prompt is too long: 9100 > 8192')).toBe(false);
    expect(new LearntLimits(memory).get('m')).toBe(8192);
    expect(isTooLong('context_length_exceeded')).toBe(true);
  });
});
