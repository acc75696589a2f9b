import { describe, expect, it } from 'vitest';
import { anthropicModels } from './read-models.ts';

const entry = {
  type: 'model',
  id: 'claude-opus-4-6',
  display_name: 'Claude Opus 4.6',
  created_at: '2026-02-04T00:00:00Z',
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: {
    image_input: { supported: true },
    thinking: { supported: true, types: {} },
    batch: { supported: true },
  },
  lifecycle: 'active',
};

describe('Anthropic’s list', () => {
  it('tells names, limits and capabilities', () => {
    expect(anthropicModels.readPage({ data: [entry], has_more: false, last_id: entry.id })).toEqual({
      models: [
        {
          id: 'claude-opus-4-6',
          displayName: 'Claude Opus 4.6',
          created: 1_770_163_200,
          contextWindow: 200_000,
          maxOutput: 64_000,
          images: true,
          reasoning: true,
        },
      ],
    });
  });

  it('goes on after the last id of a page', () => {
    const page = anthropicModels.readPage({ data: [entry], has_more: true, last_id: 'a/b c' });
    expect(page?.next).toBe('/models?limit=1000&after_id=a%2Fb%20c');
    expect(anthropicModels.readPage({ data: [], has_more: true, last_id: null })?.next).toBeUndefined();
  });

  it('of an older form, or with retired models in it, tells what it tells', () => {
    const old = { type: 'model', id: 'claude-3', display_name: 'Claude 3', created_at: 'soon', capabilities: null };
    const page = anthropicModels.readPage({ data: [old, { ...entry, lifecycle: 'retired' }, null] });
    expect(page?.models).toEqual([{ id: 'claude-3', displayName: 'Claude 3' }]);
    expect(anthropicModels.readPage({ error: {} })).toBeUndefined();
  });
});
