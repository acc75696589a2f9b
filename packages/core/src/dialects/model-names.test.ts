// Table: names of models as servers and hubs write them.

import { describe, expect, it } from 'vitest';
import { dialectOfModel, holdsPart, plainName } from './known-models.ts';

const named: readonly (readonly [name: string, dialect: string])[] = [
  ['qwen3:8b', 'hermes'],
  ['qwen3:30b-a3b-instruct-2507-q4_K_M', 'hermes'],
  ['hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M', 'hermes'],
  ['hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M', 'qwen3-coder'],
  ['qwen3-coder:30b', 'qwen3-coder'],
  ['qwen/qwen3-coder:free', 'qwen3-coder'],
  ['accounts/fireworks/models/qwen3-coder-480b-a35b-instruct', 'qwen3-coder'],
  ['qwen/qwen3-235b-a22b-2507', 'hermes'],
  ['Qwen3-Next-80B-A3B-Instruct', 'hermes'],
  ['@cf/qwen/qwen2.5-coder-32b-instruct', 'hermes'],
  ['@cf/qwen/qwq-32b', 'hermes'],
  ['@cf/qwen/qwen3-30b-a3b-fp8', 'hermes'],
  ['accounts/fireworks/models/qwen2p5-72b-instruct', 'hermes'],
  ['qwen-2.5-72b-instruct', 'hermes'],
  ['qwen/qwen-2.5-72b-instruct', 'hermes'],
  ['mlx-community/Qwen2.5-7B-Instruct-4bit', 'hermes'],
  ['qwen2.5-coder:7b', 'hermes'],
  ['qwen3-vl:8b', 'hermes'],
  ['qwen3.5:9b', 'qwen3-coder'],
  ['accounts/fireworks/models/qwen3p5-35b-a3b', 'qwen3-coder'],
  ['deepseek/deepseek-chat-v3.1:free', 'deepseek-v3.1'],
  ['deepseek/deepseek-v3.1-terminus', 'deepseek-v3.1'],
  ['deepseek-v3.1:671b', 'deepseek-v3.1'],
  ['accounts/fireworks/models/deepseek-v3p1', 'deepseek-v3.1'],
  ['deepseek/deepseek-chat-v3-0324:free', 'deepseek-v3'],
  ['accounts/fireworks/models/deepseek-v3-0324', 'deepseek-v3'],
  ['deepseek/deepseek-r1-0528:free', 'deepseek-v3'],
  ['deepseek/deepseek-v3.2-exp', 'deepseek-dsml'],
  ['accounts/fireworks/models/deepseek-v3p2', 'deepseek-dsml'],
  ['unsloth/DeepSeek-V3.1-GGUF', 'deepseek-v3.1'],
  ['deepseek_v3', 'deepseek-v3'],
  ['@cf/meta/llama-3.1-8b-instruct', 'llama3-json'],
  ['@cf/meta/llama-3.3-70b-instruct-fp8-fast', 'llama3-json'],
  ['@cf/meta/llama-4-scout-17b-16e-instruct', 'pythonic'],
  ['@cf/meta/llama-3.2-3b-instruct', 'pythonic'],
  ['accounts/fireworks/models/llama-v3p1-70b-instruct', 'llama3-json'],
  ['accounts/fireworks/models/llama-v3p3-70b-instruct', 'llama3-json'],
  ['accounts/fireworks/models/llama4-maverick-instruct-basic', 'pythonic'],
  ['meta-llama/llama-3.3-70b-instruct:free', 'llama3-json'],
  ['mlx-community/Meta-Llama-3.1-8B-Instruct-4bit', 'llama3-json'],
  ['bartowski/Llama-3.2-3B-Instruct-GGUF', 'pythonic'],
  ['llama3.2:3b', 'pythonic'],
  ['llama3.2:latest', 'pythonic'],
  ['llama4:scout', 'pythonic'],
  ['llama3.3:70b-instruct-q4_K_M', 'llama3-json'],
  ['Llama-3_1-8B-Instruct', 'llama3-json'],
  ['openai/gpt-oss-20b:free', 'harmony'],
  ['gpt-oss:20b', 'harmony'],
  ['mlx-community/gpt-oss-20b-MXFP4-Q8', 'harmony'],
  ['@cf/openai/gpt-oss-120b', 'harmony'],
  ['z-ai/glm-4.5-air:free', 'glm'],
  ['accounts/fireworks/models/glm-4p5', 'glm'],
  ['glm-4.6:cloud', 'glm'],
  ['mlx-community/GLM-4.5-Air-4bit', 'glm'],
  ['unsloth/GLM-4.6-GGUF', 'glm'],
  ['moonshotai/kimi-k2:free', 'kimi-k2'],
  ['kimi-k2-0905-preview', 'kimi-k2'],
  ['accounts/fireworks/models/kimi-k2-instruct', 'kimi-k2'],
  ['kimi_k2', 'kimi-k2'],
  ['mistralai/devstral-small-2507', 'mistral-args'],
  ['devstral:24b', 'mistral-args'],
  ['mistral-nemo:12b', 'mistral-json'],
  ['mistral:7b-instruct-v0.3', 'mistral-json'],
  ['mistral-small3.2:24b', 'mistral-args'],
  ['mistralai/mistral-small-3.2-24b-instruct:free', 'mistral-args'],
  ['magistral:24b', 'mistral-args'],
  ['ministral-3:8b', 'mistral-args'],
  ['mixtral:8x22b', 'mistral-json'],
  ['hf.co/NousResearch/Hermes-3-Llama-3.1-8B-GGUF:Q4_K_M', 'hermes'],
  ['@hf/nousresearch/hermes-2-pro-mistral-7b', 'hermes'],
  ['hermes3:8b', 'hermes'],
  ['nousresearch/hermes-4-70b', 'hermes'],
  ['deephermes-3', 'hermes'],
  ['google/gemma-3-27b-it:free', 'gemma-fence'],
  ['@cf/google/gemma-3-12b-it', 'gemma-fence'],
  ['gemma3:4b-it-qat', 'gemma-fence'],
  ['gemma3n:e4b', 'gemma-fence'],
  ['gemma4:26b', 'gemma4'],
  ['functiongemma:270m', 'functiongemma'],
  ['granite3.3:8b', 'granite'],
  ['granite4:small-h', 'hermes'],
  ['@cf/ibm-granite/granite-4.0-h-micro', 'hermes'],
  ['ibm/granite-3-8b-instruct', 'granite'],
  ['phi4-mini:3.8b', 'phi4-mini'],
  ['microsoft/Phi-4-mini-instruct-onnx', 'phi4-mini'],
  ['command-r7b:7b', 'cohere'],
  ['command-r-plus:104b', 'command-r'],
  ['command-r:35b', 'command-r'],
  ['command-a:111b', 'cohere'],
  ['lmstudio-community/LFM2-1.2B-GGUF', 'lfm2'],
  ['minimax/minimax-m1', 'minimax-m1'],
  ['minimax/minimax-m2:free', 'minimax-m2'],
  ['MiniMax-M2.1', 'minimax-m2'],
  ['minimax-m2:cloud', 'minimax-m2'],
  ['olmo-3:7b', 'olmo3'],
  ['allenai/olmo-3.1-32b-think', 'olmo3'],
  ['nvidia/nemotron-nano-9b-v2:free', 'nemotron-toolcall'],
  ['nemotron-3-nano:30b', 'qwen3-coder'],
  ['nvidia/nemotron-3-nano-30b-a3b:free', 'qwen3-coder'],
  ['nvidia/llama-3.3-nemotron-super-49b-v1.5', 'nemotron-toolcall'],
  ['bytedance/seed-oss-36b-instruct', 'seed-oss'],
  ['bytedance-seed/seed-oss-36b-instruct', 'seed-oss'],
  ['baidu/ernie-4.5-21b-a3b-thinking', 'ernie45'],
  ['tencent/hunyuan-a13b-instruct:free', 'hunyuan-a13b'],
  ['stepfun/step-3.5-flash:free', 'qwen3-coder'],
  ['meituan/longcat-flash-chat:free', 'longcat'],
  ['internlm2:7b', 'internlm2'],
  ['xlam-2-32b-fc-r', 'xlam'],
  ['ai21/jamba-large-1.7', 'jamba'],
  ['xiaomi/mimo-v2-flash:free', 'qwen3-coder'],
];

/** As clouds write them: with a region and a vendor in front, a version or a date after. */
const inClouds: readonly (readonly [name: string, dialect: string])[] = [
  ['us.meta.llama3-1-70b-instruct-v1:0', 'llama3-json'],
  ['us.meta.llama3-3-70b-instruct-v1:0', 'llama3-json'],
  ['meta.llama3-2-3b-instruct-v1:0', 'pythonic'],
  ['us.meta.llama4-scout-17b-instruct-v1:0', 'pythonic'],
  ['mistral.mistral-large-2407-v1:0', 'mistral-json'],
  ['qwen.qwen3-32b-v1:0', 'hermes'],
  ['qwen.qwen3-coder-30b-a3b-v1:0', 'qwen3-coder'],
  ['qwen.qwen3-235b-a22b-2507-v1:0', 'hermes'],
  ['openai.gpt-oss-120b-1:0', 'harmony'],
  ['cohere.command-r-plus-v1:0', 'command-r'],
  ['ai21.jamba-1-5-large-v1:0', 'jamba'],
  ['arn:aws:bedrock:us-east-1::foundation-model/meta.llama3-1-8b-instruct-v1:0', 'llama3-json'],
  ['publishers/google/models/gemma-3-27b-it', 'gemma-fence'],
  ['publishers/meta/models/llama-3.3-70b-instruct-maas', 'llama3-json'],
  ['meta/llama-4-maverick-17b-128e-instruct-maas', 'pythonic'],
  ['publishers/qwen/models/qwen3-coder-480b-a35b-instruct-maas', 'qwen3-coder'],
  ['projects/p/locations/us-central1/publishers/openai/models/gpt-oss-20b-maas', 'harmony'],
  ['deepseek-ai/deepseek-v3.1-maas', 'deepseek-v3.1'],
  ['gpt-oss-120b-2025-08-05', 'harmony'],
  ['DeepSeek-V3-0324-2025-03-24', 'deepseek-v3'],
  ['Meta-Llama-3.1-8B-Instruct-2024-07-23', 'llama3-json'],
  ['Llama-4-Scout-17B-16E-Instruct', 'pythonic'],
  ['Cohere-command-r-plus-08-2024', 'command-r'],
  ['cohere-command-a', 'cohere'],
];

const unknown: readonly string[] = [
  'gpt-4o-2024-08-06',
  'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
  'publishers/google/models/gemini-2.5-pro',
  'amazon.nova-pro-v1:0',
  'meta.llama3-70b-instruct-v1:0',
  'Llama-3-1B',
  'Qwen2-57B-A14B-Instruct',
  'Llama-3-2x8B-Instruct',
  'qwen2.5vl:7b',
  'deepseek/deepseek-r1-0528-qwen3-8b',
  'nvidia/llama-3.1-nemotron-70b-instruct',
  'llama-3.2-11b-vision-instruct',
  'zai-org/GLM-4.5V',
  'google/embeddinggemma-300m',
  'phi4-mini-reasoning:3.8b',
  'phi4:14b',
  'liquid/lfm-2.2-6b',
  'claude-3-5-sonnet',
  'gpt-4o',
  'granite-3b-code-instruct:latest',
  'nomic-embed-text:latest',
];

describe('E-080: names as servers and hubs write them', () => {
  it.each([...named, ...inClouds])('%s writes %s', (name, dialect) => {
    for (const written of [name, name.toUpperCase(), `lab/${name}`]) {
      expect(dialectOfModel(written, { takesTools: false }), written).toBe(dialect);
    }
  });

  it.each(unknown)('%s is not known to write calls', (name) => {
    expect(dialectOfModel(name, { takesTools: false })).toBeUndefined();
  });
});

describe('a plain name', () => {
  it.each([
    ['Llama-3_1-8B', 'llama-3.1-8b'],
    ['llama-v3p1-8b', 'llama-3.1-8b'],
    ['deepseek_v3', 'deepseek-3'],
    ['mixtral:8x22b', 'mixtral-8x22b'],
    ['GLM-4.5V', 'glm-4.5v'],
  ])('of %s is %s', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });

  it('is short, however long the name is', () => {
    expect(plainName('a'.repeat(100_000)).length).toBeLessThan(1000);
  });

  it('holds a part that ends with a number only where the number is over', () => {
    expect(
      ['gemma3', 'gemma-3-4b', 'gemma3n', 'gemma-3.1'].map((name) => holdsPart(plainName(name), 'gemma-3')),
    ).toEqual(Array(4).fill(true));
    expect(['gemma-300m', 'gemma:3b'].map((name) => holdsPart(plainName(name), 'gemma-3'))).toEqual([false, false]);
  });
});
