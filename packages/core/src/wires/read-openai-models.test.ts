import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openaiModels } from './read-openai-models.ts';
import { upstreamWires } from './registry.ts';

const only = (entry: unknown) => openaiModels.readPage({ object: 'list', data: [entry] })?.models;

describe('a list in OpenAI’s form', () => {
  it.each<[string, object, object]>([
    [
      'OpenAI',
      { id: 'gpt-4o', object: 'model', created: 1_715_367_049, owned_by: 'system' },
      { id: 'gpt-4o', created: 1_715_367_049 },
    ],
    [
      'vLLM',
      { id: 'Qwen/Qwen3-8B', root: '/models', max_model_len: 40_960 },
      { id: 'Qwen/Qwen3-8B', contextWindow: 40_960 },
    ],
    [
      'llama.cpp, where the room that it has counts and not what the model was trained for',
      { id: 'gemma.gguf', meta: { n_ctx_train: 131_072, n_ctx: 8192, n_params: 4_000_000_000 } },
      { id: 'gemma.gguf', displayName: 'gemma', contextWindow: 8192 },
    ],
    [
      'older llama.cpp',
      { id: 'gemma.gguf', meta: { n_ctx_train: 131_072 } },
      { id: 'gemma.gguf', displayName: 'gemma', contextWindow: 131_072 },
    ],
    [
      'LM Studio, first API',
      {
        id: 'qwen2.5-vl-7b',
        type: 'vlm',
        max_context_length: 128_000,
        loaded_context_length: 4096,
        capabilities: ['tool_use'],
      },
      { id: 'qwen2.5-vl-7b', contextWindow: 4096, images: true, toolCalling: true },
    ],
    [
      'LM Studio, second API',
      {
        type: 'llm',
        key: 'google/gemma-3-4b',
        display_name: 'Gemma 3 4B',
        max_context_length: 131_072,
        loaded_instances: [{ id: 'x', config: { context_length: 16_384 } }],
        capabilities: { vision: true, trained_for_tool_use: false },
      },
      { id: 'google/gemma-3-4b', displayName: 'Gemma 3 4B', contextWindow: 16_384, images: true },
    ],
    [
      'OpenRouter',
      {
        id: 'deepseek/deepseek-r1:free',
        name: 'DeepSeek: R1 (free)',
        created: 1_737_381_095,
        context_length: 163_840,
        architecture: { input_modalities: ['text'], output_modalities: ['text'] },
        top_provider: { context_length: 131_072, max_completion_tokens: 8192 },
        supported_parameters: ['max_tokens', 'reasoning', 'include_reasoning'],
      },
      {
        id: 'deepseek/deepseek-r1:free',
        displayName: 'DeepSeek: R1 (free)',
        created: 1_737_381_095,
        contextWindow: 131_072,
        maxOutput: 8192,
        images: false,
        toolCalling: false,
        reasoning: true,
      },
    ],
    [
      'Mistral',
      {
        id: 'mistral-small-latest',
        name: 'mistral-small-latest',
        max_context_length: 131_072,
        capabilities: { completion_chat: true, function_calling: true, vision: false },
      },
      { id: 'mistral-small-latest', contextWindow: 131_072, toolCalling: true, images: false },
    ],
    [
      'Groq',
      { id: 'llama-3.3-70b', active: true, context_window: 131_072, max_completion_tokens: 32_768 },
      { id: 'llama-3.3-70b', contextWindow: 131_072, maxOutput: 32_768 },
    ],
    [
      'Vercel',
      {
        id: 'a/b',
        type: 'language',
        context_window: 200_000,
        max_tokens: 64_000,
        tags: ['tool-use', 'vision', 'reasoning'],
      },
      { id: 'a/b', contextWindow: 200_000, maxOutput: 64_000, toolCalling: true, images: true, reasoning: true },
    ],
  ])('of %s', (_, entry, model) => {
    expect(only(entry)).toEqual([model]);
  });

  it('C-081 B-160: leaves out what does not chat, and what is switched off', () => {
    const others = [
      { id: 'e', type: 'embeddings' },
      { id: 'i', type: 'image' },
      { id: 'm', capabilities: { completion_chat: false } },
      { id: 'o', architecture: { output_modalities: ['image'] } },
      { id: 'a', active: false },
      { id: 's', supports_chat: false },
    ];
    const page = openaiModels.readPage({ data: [...others, { id: 'chat' }] });
    expect(page?.models).toEqual([{ id: 'chat' }]);
    const uses = ['embeddings', 'images', 'other work', 'other work', 'inactive', 'other work'];
    expect(page?.others?.map(({ use }) => use)).toEqual(uses);
  });

  it('what it says nothing of, the name does, and a list that says that a model chats counts for more', () => {
    const data = [
      // LM Studio's OpenAI-compatible list.
      { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', owned_by: 'organization_owner' },
      { id: 'BAAI/bge-m3' },
      { id: 'whisper-1' },
      { id: 'gpt-4o-mini-tts' },
      // LocalAI's list of capabilities.
      { id: 'mini', capabilities: ['embeddings'] },
      { id: 'eyes', capabilities: ['chat', 'vision', 'embeddings'], context_size: 8192 },
      { id: 'my-embedder', type: 'llm' },
      { id: 'e5b-chat' },
    ];
    const page = openaiModels.readPage({ object: 'list', data });
    expect(page?.models).toEqual([
      { id: 'eyes', contextWindow: 8192, images: true },
      { id: 'my-embedder' },
      { id: 'e5b-chat' },
    ]);
    expect(page?.others?.map(({ use }) => use)).toEqual([
      'embeddings',
      'embeddings',
      'transcription',
      'speech',
      'embeddings',
    ]);
  });

  it('may be the body itself, or are under another name, or be null', () => {
    for (const body of [[{ id: 'a' }], { models: [{ id: 'a' }] }, { data: [{ model: 'a' }] }]) {
      expect(openaiModels.readPage(body)?.models).toEqual([{ id: 'a' }]);
    }
    expect(openaiModels.readPage({ object: 'list', data: null })?.models).toEqual([]);
    for (const body of [null, 'x', 7, {}, { error: 'no' }]) expect(openaiModels.readPage(body)).toBeUndefined();
  });

  it('keeps the entries that can be read among others, and their fields among odd ones', () => {
    const odd = [null, 7, 'x', [], {}, { id: '' }, { id: 9 }, { id: 'a\nb' }, { id: 'x'.repeat(300) }];
    const entry = { id: 'a', max_model_len: -1, context_length: '4096', created: 'never', name: ' ', tags: 7 };
    expect(openaiModels.readPage({ data: [...odd, entry] })?.models).toEqual([{ id: 'a' }]);
    expect(only({ id: 'a', created: 1e300, name: 'n'.repeat(9999) })?.[0]?.displayName).toHaveLength(200);
    expect(only({ id: 'a', created: 1_700_000_000_123 })).toEqual([{ id: 'a', created: 1_700_000_000 }]);
  });
});

const listings = [...upstreamWires.values()].flatMap(({ id, models }) =>
  models === undefined ? [] : [{ id, models }],
);
const word = fc.constantFrom('id', 'data', 'models', 'model', 'capabilities', 'meta', 'model_info', 'parameters');
const body = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), fc.array(tie('any')), fc.dictionary(word, tie('any'))),
})).any;

it.each(listings)('$id reads any body without a complaint', ({ models }) => {
  fc.assert(
    fc.property(body, (value) => {
      for (const model of models.readPage(value)?.models ?? []) expect(model.id).not.toBe('');
      for (const model of models.readPage({ data: [value], models: [value] })?.models ?? []) {
        expect(typeof model.id).toBe('string');
      }
      models.details?.read({ id: 'a' }, value);
    }),
  );
});

describe('what a reply can be held to there', () => {
  it.each<[string, object, object | undefined]>([
    ['vLLM', { owned_by: 'vllm' }, { grammarField: 'structured_outputs' }],
    ['LM Studio', { owned_by: 'organization_owner' }, { holdsSchemas: true }],
    ['LM Studio, its own list', { type: 'llm', compatibility_type: 'mlx' }, { holdsSchemas: true }],
    ['a model of OpenRouter', { supported_parameters: ['max_tokens', 'structured_outputs'] }, { holdsSchemas: true }],
    ['one that takes less', { supported_parameters: ['max_tokens', 'response_format'] }, undefined],
    ['somebody', { owned_by: 'somebody' }, undefined],
  ])('%s', (_, entry, quirks) => {
    expect(only({ id: 'm', ...entry })?.[0]?.quirks).toEqual(quirks);
  });
});
