import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../chat/request.ts';
import { dialects } from '../dialects/registry.ts';
import { toDragomanError } from '../errors.ts';
import { MemoryFactStore } from '../stores/memory-fact-store.ts';
import { listModels } from './model-entries.ts';
import { planRequest } from './plan.ts';
import { dialectOfPlan } from './plug-ins.ts';
import { defaultModelRule, type ModelRule } from './rules.ts';
import type { EngineSetup, Upstream } from './setup.ts';

const rule = (own: Partial<ModelRule> = {}): ModelRule => ({ ...defaultModelRule, ...own });

function upstream(name: string, own: Partial<Upstream>): Upstream {
  return {
    name,
    wire: 'openai-chat',
    transport: {
      send: () => {
        throw new Error('planning sends nothing');
      },
    },
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
    models: new Map(),
    ...own,
  };
}

function setupWith(own: Partial<EngineSetup> = {}): EngineSetup {
  const local = upstream('local', {
    models: new Map([
      ['qwen2.5-7b', rule({ toolCalling: { dialect: 'hermes' }, upstreamName: 'Qwen/Qwen2.5-7B-Instruct' })],
      ['llama', rule({ toolCalling: 'native' })],
    ]),
  });
  const router = upstream('router', { anyModel: rule() });
  return {
    upstreams: new Map([local, router].map((each) => [each.name, each])),
    aliases: new Map([
      ['gpt-4o', 'local/qwen2.5-7b'],
      ['best', 'gpt-4o'],
      ['kimi', 'router/moonshotai/kimi-k2-instruct'],
    ]),
    maxTools: 2,
    maxReplyBytes: 1_000_000,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    randomHex: (length) => '0'.repeat(length),
    ...own,
  };
}

function asking(model: string, tools = 0): ChatRequest {
  return chatRequest({
    model,
    tools: Array.from({ length: tools }, (_, index) => ({ name: `tool${index}`, inputSchema: true })),
  });
}

const planOf = (model: string, setup = setupWith()) => planRequest(asking(model), setup);

function refusal(model: string, options: { readonly setup?: EngineSetup; readonly tools?: number } = {}) {
  try {
    planRequest(asking(model, options.tools), options.setup ?? setupWith());
  } catch (thrown) {
    const { code, message, param } = toDragomanError(thrown);
    return { code, message, param };
  }
  throw new Error(`${model} was planned`);
}

describe('plan', () => {
  it('finds a model by upstream and name, by alias, and over one more alias', () => {
    for (const model of ['local/qwen2.5-7b', 'gpt-4o', 'best']) {
      expect(planOf(model)).toEqual({
        asked: model,
        upstream: 'local',
        wire: 'openai-chat',
        model: 'Qwen/Qwen2.5-7B-Instruct',
        rule: expect.anything(),
        toolCalling: 'hermes',
        dialect: 'hermes',
        reason: 'the model rule says hermes',
      });
    }
  });

  it('can be printed and read back', () => {
    const plan = planOf('best');
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('takes names with slashes and unlisted models where the upstream has a rule for any', () => {
    expect(planOf('router/meta/llama-4')).toMatchObject({
      upstream: 'router',
      model: 'meta/llama-4',
      toolCalling: 'native',
    });
    expect(planOf('kimi')).toMatchObject({
      upstream: 'router',
      model: 'moonshotai/kimi-k2-instruct',
      toolCalling: 'kimi-k2',
    });
    expect(planOf('kimi').reason).toContain('kimi-k2');
    expect(planOf('local/llama')).toMatchObject({ toolCalling: 'native', reason: 'the model rule says native' });
    expect('dialect' in planOf('local/llama')).toBe(false);
  });

  it('takes name:latest for a name without a tag, unless an upstream takes any', () => {
    expect(planOf('best:latest')).toEqual({ ...planOf('best'), asked: 'best:latest' });
    expect(planOf('local/llama:latest')).toMatchObject({ model: 'llama' });
    expect(planOf('router/llama:latest')).toMatchObject({ model: 'llama:latest' });
    expect(refusal('local/llama:7b')).toMatchObject({ code: 'model-unknown' });
  });

  it('takes the default model for a request that names none', () => {
    expect(planOf('', setupWith({ defaultModel: 'gpt-4o' })).upstream).toBe('local');
    expect(refusal('')).toMatchObject({ code: 'bad-request', param: 'model' });
  });

  it('names the nearest models when one is unknown', () => {
    expect(refusal('local/qwen2-5-7b').message).toContain('local/qwen2.5-7b');
    expect(refusal('qwen2.5-7b').message).toContain('local/qwen2.5-7b');
    expect(refusal('gpt-4').message).toContain('gpt-4o');
    expect(refusal('GPT_4O').message).toContain('gpt-4o');
    expect(refusal('claude-opus')).toEqual({
      code: 'model-unknown',
      message: 'There is no model "claude-opus". Did you mean router/claude-opus?',
      param: 'model',
    });
    for (const half of ['/claude', 'router', 'router/']) {
      expect(refusal(half).message, half).toContain('GET /v1/models lists those that exist.');
    }
    expect(refusal('x'.repeat(100_000)).message.length).toBeLessThan(200);
  });

  it('refuses names that are half an address', () => {
    for (const model of ['local/', '/llama', 'local', 'router/', '__proto__', 'constructor/x']) {
      expect(refusal(model).code, model).toBe('model-unknown');
    }
  });

  it('refuses aliases that lead in a circle or too far', () => {
    const aliases = new Map([
      ['self', 'self'],
      ['a', 'b'],
      ['b', 'a'],
      ['one', 'two'],
      ['two', 'three'],
      ['three', 'local/llama'],
    ]);
    const setup = setupWith({ aliases });
    for (const model of ['a', 'b', 'one']) expect(refusal(model, { setup }).code, model).toBe('config-invalid');
    expect(refusal('self', { setup }).code).toBe('model-unknown');
    expect(planOf('two', setup).model).toBe('llama');
  });

  it('refuses more tools than allowed, unless they are stripped anyway', () => {
    expect(refusal('gpt-4o', { tools: 3 })).toMatchObject({ code: 'too-many-tools', param: 'tools' });
    const off = setupWith({ toolCalling: false });
    expect(planRequest(asking('gpt-4o', 3), off)).toMatchObject({ toolCalling: 'none', dialect: 'hermes' });
    expect(planRequest(asking('gpt-4o', 2), setupWith()).toolCalling).toBe('hermes');
  });

  it('refuses a wire or a dialect that does not exist', () => {
    const models = new Map([['m', rule({ toolCalling: { dialect: 'klingon' } })]]);
    const setup = setupWith({
      upstreams: new Map([
        ['a', upstream('a', { models })],
        ['b', upstream('b', { models, wire: 'telex' })],
      ]),
    });
    expect(refusal('a/m', { setup }).message).toContain('klingon');
    expect(refusal('b/m', { setup }).message).toContain('telex');
  });
});

it('a model that takes no tools is taught what it has written, its name tells, or its chat template seems to write', () => {
  const template = '<tool_call><arg_key>{{ key }}</arg_key><arg_value>{{ value }}</arg_value></tool_call>';
  const listed = new Map(
    ['qwen2.5-7b', 'mystery', 'plain'].map((id) => [
      id,
      { id, toolCalling: false, ...(id === 'plain' ? {} : { template }) },
    ]),
  );
  const facts = new MemoryFactStore();
  const up = upstream('up', { anyModel: rule(), listed: () => listed });
  const setup = setupWith({ upstreams: new Map([['up', up]]), facts });
  const seen = (model: string) => {
    const { dialect, toolCalling } = planOf(`up/${model}`, setup);
    return [dialect, toolCalling];
  };
  expect(seen('qwen2.5-7b')).toEqual(['hermes', 'hermes']);
  expect(seen('mystery')).toEqual(['glm', 'any']);
  expect(seen('plain')).toEqual(['hermes', 'any']);
  for (const model of listed.keys()) facts.put({ upstream: 'up', model }, { dialect: 'xlam' });
  expect([...listed.keys()].map(seen)).toEqual([...listed.keys()].map(() => ['xlam', 'any']));
  for (const model of listed.keys()) facts.put({ upstream: 'up', model }, { dialect: 'of a newer version' });
  expect(seen('mystery')).toEqual(['glm', 'any']);
});

describe('E-080: a model whose calls are read in every dialect', () => {
  const setup = (dialects?: EngineSetup['dialects']) =>
    setupWith({
      upstreams: new Map([['any', upstream('any', { anyModel: rule({ toolCalling: 'text' }) })]]),
      ...(dialects === undefined ? {} : { dialects }),
    });

  it.each([
    ['kimi-k2-instruct', 'kimi-k2'],
    ['DeepSeek-V3.1', 'deepseek-v3.1'],
    ['mystery-7b', 'hermes'],
  ])('%s is taught the form that its name tells: %s', (model, dialect) => {
    const plan = planOf(`any/${model}`, setup());
    expect(plan).toMatchObject({ toolCalling: 'any', dialect });
    expect(plan.reason).toContain(`the model rule says text, `);
    expect(plan.reason).toContain(dialect);
  });

  it('is what the rule calls text', () => {
    const text = upstream('any', { anyModel: rule({ toolCalling: 'text' }) });
    const { rule: _, ...plan } = planOf('any/mystery-7b', setupWith({ upstreams: new Map([['any', text]]) }));
    const { rule: __, ...older } = planOf('any/mystery-7b', setup());
    expect(plan).toEqual(older);
  });

  it('has the markers of all of them, and those of dialects of its own', () => {
    const own = { ...(dialects.get('hermes') ?? expect.fail()), id: 'own', markers: () => ['<own>'] };
    const given = setup(new Map([['own', own]]));
    const dialect = dialectOfPlan(planOf('any/x', given), given);
    expect(dialect?.id).toBe('hermes');
    expect(dialect?.markers([])).toEqual(
      expect.arrayContaining(['<own>', '<tool_call>', '[TOOL_CALLS]', '<|channel|>']),
    );
    expect(dialectOfPlan(planOf('any/y', given), given)).toBe(dialect);
  });

  it('a dialect with a parser of its own is read alone', () => {
    const { grammar: _, ...byHand } = dialects.get('hermes') ?? expect.fail();
    const reads = (alsoReads: readonly string[], toolCalling: ModelRule['toolCalling'] = { dialect: 'hand' }) => {
      const given = setupWith({
        upstreams: new Map([['up', upstream('up', { anyModel: rule({ toolCalling, alsoReads }) })]]),
        dialects: new Map([['hand', { ...byHand, id: 'hand' }]]),
      });
      return dialectOfPlan(planOf('up/m', given), given);
    };
    expect(reads([])?.id).toBe('hand');
    expect(reads([], 'text')?.id).toBe('hermes');
    for (const wrong of [() => reads(['glm']), () => reads(['hand'], { dialect: 'glm' })]) {
      expect(wrong).toThrowError(expect.objectContaining({ code: 'config-invalid' }));
    }
  });
});

describe('the list of models', () => {
  it('holds aliases and listed models, each with its rule', () => {
    expect(listModels(setupWith()).map(({ id, upstream: at, model }) => [id, at, model])).toEqual([
      ['gpt-4o', 'local', 'qwen2.5-7b'],
      ['best', 'local', 'qwen2.5-7b'],
      ['kimi', 'router', 'moonshotai/kimi-k2-instruct'],
      ['local/qwen2.5-7b', 'local', 'qwen2.5-7b'],
      ['local/llama', 'local', 'llama'],
    ]);
  });

  describe('on a wire that carries only text', () => {
    const text = upstream('text', {
      wire: 'openai-completions',
      models: new Map([
        ['qwen2.5-7b', rule()],
        ['mystery', rule()],
        ['raw', rule({ toolCalling: 'native' })],
      ]),
    });
    const setup = setupWith({ upstreams: new Map([['text', text]]), aliases: new Map() });

    it('"auto" is always a dialect', () => {
      expect(planRequest(asking('text/qwen2.5-7b', 1), setup).toolCalling).toBe('hermes');
      expect(planRequest(asking('text/mystery', 1), setup)).toMatchObject({
        toolCalling: 'any',
        dialect: 'hermes',
        reason: 'openai-completions carries only text, so it is taught hermes',
      });
    });

    it('"native" takes text, and refuses tools and calls with an error that says what to change', () => {
      expect(planRequest(asking('text/raw'), setup).toolCalling).toBe('native');
      expect(refusal('text/raw', { setup, tools: 1 })).toEqual({
        code: 'unsupported-field',
        param: 'tools',
        message: expect.stringContaining('Configure "auto" or a dialect.'),
      });
      const none = { ...asking('text/raw', 1), toolChoice: 'none' as const };
      expect(planRequest(none, setup).toolCalling).toBe('native');
      const past = chatRequest({
        model: 'text/raw',
        messages: [{ role: 'tool', callId: 'c', content: [{ type: 'text', text: 'noon' }] }],
      });
      expect(() => planRequest(past, setup)).toThrow('messages[0]: this model is configured');
      expect(planRequest(past, { ...setup, toolCalling: false }).toolCalling).toBe('none');
    });
  });
});
