import { describe, expect, it } from 'vitest';
import { ollamaModels } from './read-models.ts';

const show = {
  parameters: 'stop                           "<|im_end|>"\ntemperature                    0.6',
  model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960, 'qwen3.block_count': 36 },
  capabilities: ['completion', 'tools', 'thinking'],
};
const read = (body: unknown) => ollamaModels.details?.read({ id: 'qwen3:8b', created: 5 }, body);

describe('Ollama’s list', () => {
  it('names models with their tags, and without the one that means none', () => {
    const models = [
      { name: 'qwen3:8b', model: 'qwen3:8b', modified_at: '2025-05-04T17:37:44.706015396-07:00' },
      { name: 'llama3:latest', model: 'llama3:latest' },
      { name: 'hf.co/unsloth/Qwen3-GGUF:Q4_K_M' },
      { model: 7 },
    ];
    expect(ollamaModels.readPage({ models })?.models).toEqual([
      { id: 'qwen3:8b', created: 1_746_405_464 },
      { id: 'llama3' },
      { id: 'hf.co/unsloth/Qwen3-GGUF:Q4_K_M' },
    ]);
    expect(ollamaModels.readPage({ models: null })?.models).toEqual([]);
    for (const body of [null, [], {}, { models: 'x' }]) expect(ollamaModels.readPage(body)).toBeUndefined();
  });

  it('A-008: tells the longest window under the key of the architecture, and what the model can do', () => {
    expect(read(show)).toEqual({
      id: 'qwen3:8b',
      created: 5,
      longestWindow: 40_960,
      images: false,
      toolCalling: true,
      reasoning: true,
    });
  });

  it('the window that the model’s own parameters ask for counts, if the model has so much', () => {
    expect(read({ ...show, parameters: 'num_ctx                        8192' })).toMatchObject({ contextWindow: 8192 });
    expect(read({ ...show, parameters: 'num_ctx 131072' })).toMatchObject({ contextWindow: 40_960 });
    expect(read({ parameters: 'num_ctx many' })).toEqual({ id: 'qwen3:8b', created: 5 });
  });

  it('the window of a model that is loaded counts for more, and what the model was trained for is none', () => {
    const running = ollamaModels.running?.read({
      models: [
        { name: 'qwen3:8b', model: 'qwen3:8b', context_length: 4096 },
        { name: 'llama3:latest', context_length: 8192 },
        { name: 'old' },
        7,
      ],
    });
    expect(running?.({ id: 'qwen3:8b', contextWindow: 16_384, longestWindow: 40_960 })).toEqual({
      id: 'qwen3:8b',
      contextWindow: 4096,
      longestWindow: 40_960,
    });
    expect(running?.({ id: 'llama3' }).contextWindow).toBe(8192);
    expect(running?.({ id: 'old' })).toEqual({ id: 'old' });
    expect(ollamaModels.running?.read('nonsense')({ id: 'old' })).toEqual({ id: 'old' });
  });

  it('C-081: leaves out what does not chat; an older server tells no capabilities', () => {
    expect(read({ ...show, capabilities: ['embedding'] })).toEqual({ id: 'qwen3:8b', use: 'embeddings' });
    expect(read({ model_info: show.model_info })).toEqual({ id: 'qwen3:8b', created: 5, longestWindow: 40_960 });
    expect(read('nonsense')).toEqual({ id: 'qwen3:8b', created: 5 });
  });
});
