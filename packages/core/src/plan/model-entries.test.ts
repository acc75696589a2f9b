import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ListedModel } from '../wires/wire.ts';
import { defaultModelOf, findModel, listModels } from './model-entries.ts';
import { planRequest } from './plan.ts';
import { defaultModelRule, type GivenRule } from './rules.ts';
import type { EngineSetup, Upstream } from './setup.ts';

const { images: _, ...silent } = defaultModelRule;
const given = (own: Partial<GivenRule> = {}): GivenRule => ({ ...silent, ...own });

function setupWith(listed: readonly ListedModel[], own: Partial<Upstream> = {}): EngineSetup {
  const list = new Map(listed.map((model) => [model.id, model]));
  const up: Upstream = {
    name: 'up',
    wire: 'openai-chat',
    transport: {
      send: () => {
        throw new Error('whoever looks for a model sends nothing');
      },
    },
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
    models: new Map(),
    anyModel: given(),
    listed: () => list,
    ...own,
  };
  return {
    upstreams: new Map([['up', up]]),
    aliases: new Map([['best', 'up/vendor/big:free']]),
    maxTools: 2,
    maxReplyBytes: 1,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    randomHex: (length) => '0'.repeat(length),
  };
}

/** The same, but only models with a rule exist. */
function closed(setup: EngineSetup): EngineSetup {
  const upstreams = [...setup.upstreams.values()].map(({ anyModel: _, ...rest }) => rest);
  return { ...setup, upstreams: new Map(upstreams.map((each) => [each.name, each])), aliases: new Map() };
}

const big: ListedModel = { id: 'vendor/big:free', contextWindow: 131_072, images: true, toolCalling: true };
const planOf = (model: string, setup: EngineSetup) => planRequest(chatRequest({ model }), setup);

describe('models that an upstream lists', () => {
  it('A-237: are listed after the aliases and the configured ones, each once, under ids with any signs', () => {
    const models = new Map([['small', given()]]);
    const setup = setupWith([big, { id: 'small' }, { id: 'llama3:8b' }], { models });
    expect(listModels(setup).map(({ id }) => id)).toEqual(['best', 'up/small', 'up/vendor/big:free', 'up/llama3:8b']);
    for (const { id, upstream } of listModels(setup)) expect(findModel(id, setup).upstream).toBe(upstream);
    expect(planOf('up/vendor/big:free', setup).model).toBe('vendor/big:free');
    expect(planOf('up/llama3:8b', setup).model).toBe('llama3:8b');
  });

  it('an alias that is called like its upstream is in front of its models, once', () => {
    const setup = setupWith([big]);
    const aliases = new Map([
      ['up', 'up/vendor/big:free'],
      ['best', 'up/vendor/big:free'],
    ]);
    const ids = listModels({ ...setup, aliases }).map(({ id }) => id);
    expect(ids).toEqual(['best', 'up', 'up/vendor/big:free']);
  });

  it('do not exist where only models with a rule do, but tell of those', () => {
    const models = new Map([['mine', given({ upstreamName: big.id })]]);
    const setup = closed(setupWith([big, { id: 'other' }], { models }));
    expect(listModels(setup).map(({ id, rule }) => [id, rule.contextWindow])).toEqual([['up/mine', 131_072]]);
    expect(() => findModel('up/other', setup)).toThrow('There is no model');
  });

  it('are outdone field by field by what the configuration says', () => {
    const rule = (own: Partial<GivenRule>) =>
      findModel('up/m', setupWith([{ ...big, id: 'm' }], { models: new Map([['m', given(own)]]) })).rule;
    expect(rule({})).toMatchObject({ contextWindow: 131_072, images: true });
    expect(rule({ images: false })).toMatchObject({ contextWindow: 131_072, images: false });
    expect(rule({ contextWindow: 8192 })).toMatchObject({ contextWindow: 8192, images: true });
    expect(findModel('up/unheard-of', setupWith([big])).rule).toMatchObject({ contextWindow: 0, images: false });
  });

  it('are found with and without the tag that means none', () => {
    const setup = setupWith([{ id: 'llama3', contextWindow: 8192 }]);
    expect(findModel('up/llama3:latest', setup).rule.contextWindow).toBe(8192);
    expect(findModel('up/llama3', setup).rule.contextWindow).toBe(8192);
  });

  it('are named when somebody misspells them, however many there are', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ id: `model-number-${index}` }));
    const setup = { ...setupWith([big, ...many]), aliases: new Map([['b', 'up/vendor/big:free']]) };
    expect(() => findModel('vendor/big-free', setup)).toThrow('Did you mean up/vendor/big:free');
  });

  it('are named with the upstream in front where it takes any name', () => {
    const setup = { ...setupWith([]), aliases: new Map<string, string>() };
    expect(() => findModel('zebra-9b', setup)).toThrow('There is no model "zebra-9b". Did you mean up/zebra-9b?');
    expect(() => findModel('org/zebra', setup)).toThrow('Did you mean up/org/zebra?');
    expect(() => findModel('zebra-9b', closed(setup))).toThrow('GET /v1/models lists those that exist.');
    // What is meant exactly comes before what may exist somewhere.
    const listed = setupWith([big], { models: new Map([['zebra-9b', given()]]) });
    expect(() => findModel('zebra-9', listed)).toThrow('Did you mean up/zebra-9b or up/zebra-9?');
    expect(() => findModel('zebra-9b', listed)).toThrow('Did you mean up/zebra-9b?');
    expect(() => findModel('z'.repeat(5000), setup)).toThrow(/…"\. GET \/v1\/models/);
  });

  it('decide how calls are read where the rule says auto: the server knows more than the name', () => {
    const setup = setupWith([
      { id: 'qwen3:8b', toolCalling: true },
      { id: 'gemma2', toolCalling: false },
      { id: 'kimi-k2', toolCalling: false },
      { id: 'silent' },
    ]);
    const seen = ['qwen3:8b', 'gemma2', 'kimi-k2', 'silent'].map((model) => {
      const { toolCalling, reason } = planOf(`up/${model}`, setup);
      return [toolCalling, reason];
    });
    expect(seen).toEqual([
      ['native', 'the upstream lists "qwen3:8b" as calling tools natively'],
      ['any', 'the upstream lists "gemma2" as taking no tools, so it is taught hermes'],
      ['kimi-k2', 'the upstream lists "kimi-k2" as taking no tools, and models named like "kimi-k2" write kimi-k2'],
      ['native', 'nothing says how "silent" calls tools, so natively until an answer shows otherwise'],
    ]);
    const fixed = setupWith([{ id: 'gemma2', toolCalling: false }], { anyModel: given({ toolCalling: 'native' }) });
    expect(planOf('up/gemma2', fixed).toolCalling).toBe('native');
  });
});

describe('short names', () => {
  const path = '/home/me/models/SmolLM2-135M-Instruct.Q4_1.gguf';
  const upstreams = (...given: readonly (readonly [string, readonly string[], boolean])[]): EngineSetup => {
    const places = given.map(([name, ids, shortNames]) => {
      const setup = setupWith(
        ids.map((id) => ({ id, contextWindow: 4096, longestWindow: 20_000 })),
        { name, shortNames },
      );
      return [name, setup.upstreams.get('up')] as const;
    });
    const found = places.flatMap(([name, upstream]) => (upstream === undefined ? [] : [[name, upstream] as const]));
    return { ...setupWith([]), upstreams: new Map(found), aliases: new Map([['fast', 'llama.cpp/smol']]) };
  };
  const setup = upstreams(
    ['llama.cpp', [path, 'smol', 'fast'], true],
    ['ollama', ['qwen3:8b', 'smol', 'hf.co/a/b'], true],
    ['openai', ['gpt-5', 'smol'], false],
  );

  it('are the names that models have by themselves, and lead where they are listed', () => {
    const listed = listModels(setup).map(({ id, upstream, model }) => [id, `${upstream}/${model}`]);
    expect(listed).toEqual([
      ['fast', 'llama.cpp/smol'],
      ['SmolLM2-135M-Instruct.Q4_1', `llama.cpp/${path}`],
      ['smol', 'llama.cpp/smol'],
      // An alias, and a server before it, have these names.
      ['llama.cpp/fast', 'llama.cpp/fast'],
      ['qwen3:8b', 'ollama/qwen3:8b'],
      ['ollama/smol', 'ollama/smol'],
      ['hf.co/a/b', 'ollama/hf.co/a/b'],
      ['openai/gpt-5', 'openai/gpt-5'],
      ['openai/smol', 'openai/smol'],
    ]);
    for (const [id = '', target] of listed) {
      const { upstream, model } = findModel(id, setup);
      expect(`${upstream}/${model}`).toBe(target);
    }
    expect(findModel('ollama/qwen3:8b', setup).upstream).toBe('ollama');
    expect(planOf('SmolLM2-135M-Instruct.Q4_1', setup).model).toBe(path);
  });

  it('never lead to an upstream without them', () => {
    expect(() => findModel('gpt-5', setup)).toThrow('There is no model "gpt-5"');
    expect(
      findModel('openai/smol', upstreams(['openai', ['smol'], false], ['lm-studio', ['openai/smol'], true])),
    ).toMatchObject({
      upstream: 'lm-studio',
    });
  });

  it('the first of them is the default model', () => {
    expect(defaultModelOf(upstreams(['openai', ['gpt-5'], false], ['ollama', ['a', 'b'], true]))).toBe('a');
    expect(findModel('', setup).id).toBe('llama.cpp/smol');
    expect(defaultModelOf({ ...setup, defaultModel: 'openai/gpt-5' })).toBe('openai/gpt-5');
    const none = upstreams(['openai', ['gpt-5'], false]);
    expect(defaultModelOf(none)).toBeUndefined();
    expect(() => findModel('', none)).toThrow('since there is no default model. GET /v1/models lists');
  });
});

it('a server is asked for the least window that a rule wants, and for no more than the model can have', () => {
  const windowOf = (own: Partial<GivenRule>, listed: Partial<ListedModel>) =>
    findModel('up/m', setupWith([{ id: 'm', ...listed }], { anyModel: given(own) })).rule.contextWindow;
  const leastWindow = 16_384;
  expect(windowOf({ leastWindow }, {})).toBe(16_384);
  expect(windowOf({ leastWindow }, { contextWindow: 4096, longestWindow: 40_960 })).toBe(16_384);
  expect(windowOf({ leastWindow }, { contextWindow: 32_768, longestWindow: 40_960 })).toBe(32_768);
  expect(windowOf({ leastWindow }, { contextWindow: 4096, longestWindow: 8192 })).toBe(8192);
  expect(windowOf({ leastWindow, contextWindow: 8192 }, { longestWindow: 40_960 })).toBe(8192);
});
