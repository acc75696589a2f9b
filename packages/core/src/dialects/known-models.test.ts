import { describe, expect, it } from 'vitest';
import { knownForms } from '../library/known-forms.ts';
import { dialectOfModel, knownModels } from './known-models.ts';
import { dialects } from './registry.ts';

describe('E-080: what a name says about the dialect', () => {
  it.each([
    ['moonshotai/Kimi-K2-Instruct', 'kimi-k2'],
    ['NousResearch/Hermes-3-Llama-3.1-8B', 'hermes'],
    ['qwen2.5:7b-instruct', 'hermes'],
    ['Qwen/Qwen3-32B', 'hermes'],
    ['qwen3:8b', 'hermes'],
    ['qwen3-30b-a3b-thinking-2507', 'hermes'],
    ['Qwen/QwQ-32B', 'hermes'],
    ['ibm-granite/granite-4.0-h-small', 'hermes'],
    ['granite4:micro', 'hermes'],
    ['miromind-ai/MiroThinker-v1.0-72B', 'mcp-xml'],
  ])('%s writes %s', (name, dialect) => {
    expect(dialectOfModel(name, { takesTools: true })).toBe(dialect);
    expect(dialectOfModel(name, { takesTools: false })).toBe(dialect);
  });

  it.each([
    ['openai/gpt-oss-120b', 'harmony'],
    ['zai-org/GLM-4.6', 'glm'],
    ['deepseek-ai/DeepSeek-V3-0324', 'deepseek-v3'],
    ['deepseek-ai/DeepSeek-R1-0528', 'deepseek-v3'],
    ['deepseek-ai/DeepSeek-V3.2', 'deepseek-dsml'],
    ['mistralai/Devstral-Small-2507', 'mistral-args'],
    ['mistralai/Mistral-Nemo-Instruct-2407', 'mistral-json'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama3-json'],
    ['llama3.1:8b', 'llama3-json'],
    ['meta-llama/Llama-4-Scout-17B-16E-Instruct', 'pythonic'],
    ['google/gemma-4-27b-it', 'gemma4'],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3-coder'],
    ['qwen3.5-35b-a3b', 'qwen3-coder'],
    ['ibm-granite/granite-3.3-8b-instruct', 'granite'],
    ['granite3.2:8b', 'granite'],
    ['microsoft/Phi-4-mini-instruct', 'phi4-mini'],
    ['fireworks-ai/llama-3-firefunction-v2', 'phi4-mini'],
    ['Salesforce/Llama-xLAM-2-8b-fc-r', 'xlam'],
    ['CohereLabs/c4ai-command-a-03-2025', 'cohere'],
    ['c4ai-command-r7b-12-2024', 'cohere'],
    ['CohereForAI/c4ai-command-r-plus-08-2024', 'command-r'],
    ['ai21labs/AI21-Jamba-Large-1.7', 'jamba'],
    ['tencent/Hunyuan-A13B-Instruct', 'hunyuan-a13b'],
    ['ServiceNow-AI/Apriel-1.6-15b-Thinker', 'apriel'],
    ['MiniMaxAI/MiniMax-M1-80k', 'minimax-m1'],
    ['nvidia/NVIDIA-Nemotron-Nano-9B-v2', 'nemotron-toolcall'],
    ['nvidia/Llama-3_3-Nemotron-Super-49B-v1_5', 'nemotron-toolcall'],
    ['swiss-ai/Apertus-70B-Instruct-2509', 'apertus'],
    ['deepseek-ai/DeepSeek-V3.1-Terminus', 'deepseek-v3.1'],
    ['ai-sage/GigaChat3.5-432B-A28B', 'gigachat3.5'],
    ['ai-sage/GigaChat3-10B-A1.8B', 'gigachat3'],
    ['ai-sage/GigaChat3.1-702B-A36B', 'gigachat3'],
    ['thinkingmachines/Inkling', 'inkling'],
    ['naver-hyperclovax/HyperCLOVAX-SEED-Think-14B', 'hyperclovax'],
    ['naver-hyperclovax/HyperCLOVAX-SEED-Think-32B', 'glm'],
    ['plamo-3.0-prime', 'plamo3'],
    ['moonshotai/Kimi-K3', 'kimi-k3'],
    ['ByteDance-Seed/Seed-OSS-36B-Instruct', 'seed-oss'],
    ['MiniMaxAI/MiniMax-M2.5', 'minimax-m2'],
    ['MiniMaxAI/MiniMax-M3-MXFP8', 'minimax-m3'],
    ['meta-models/Muse-Glimmer-30B', 'muse-glimmer'],
    ['meituan-longcat/LongCat-Flash-Chat', 'longcat'],
    ['tencent/Hy3-preview', 'hy-v3'],
    ['tencent/Hy4-preview', 'hy-v3'],
    ['openbmb/MiniCPM5-8B', 'minicpm5'],
    ['stepfun-ai/step3', 'step3'],
    ['stepfun-ai/Step-3.5-Flash', 'qwen3-coder'],
    ['upstage/Solar-Open2-100B', 'solar-open2'],
    ['meetkai/functionary-small-v3.1', 'functionary-v3.1'],
    ['meetkai/functionary-small-v3.2', 'functionary-v3.2'],
    ['LiquidAI/LFM2.5-1.2B-Instruct', 'lfm2'],
    ['allenai/Olmo-3-7B-Instruct', 'olmo3'],
    ['internlm/internlm2_5-7b-chat', 'internlm2'],
    ['internlm/internlm3-8b-instruct', 'internlm2'],
    ['baidu/ERNIE-4.5-21B-A3B-Thinking', 'ernie45'],
    ['google/functiongemma-270m-it', 'functiongemma'],
    ['google/gemma-3-27b-it', 'gemma-fence'],
    ['gemma3:12b', 'gemma-fence'],
  ])('%s writes %s where the upstream takes no tools; servers that do read it themselves', (name, dialect) => {
    expect(dialectOfModel(name, { takesTools: false })).toBe(dialect);
    expect(dialectOfModel(name, { takesTools: true })).toBeUndefined();
  });

  it.each([
    ['qwen3-max', 'native calls'],
    ['Qwen/Qwen2.5-VL-7B-Instruct', 'no tool calls of its own'],
    ['gpt-4o', 'native calls'],
    ['', 'nothing'],
  ])('%s is not known to write a dialect: %s', (name) => {
    expect(dialectOfModel(name, { takesTools: false })).toBeUndefined();
  });
});

describe('the table', () => {
  it('names registered dialects, in lower case', () => {
    for (const { part, dialect, except = [] } of knownModels) {
      expect([...dialects.keys()]).toContain(dialect);
      for (const text of [part, ...except]) expect(text).toBe(text.toLowerCase());
      for (const other of except) expect(other).toContain(part);
    }
  });

  it('says of each form what it is and where it is published', () => {
    expect(knownModels.filter(({ dialect }) => !knownForms.has(dialect))).toEqual([]);
    expect([...knownForms.keys()]).toEqual([...dialects.keys()]);
    for (const [id, { source }] of knownForms) {
      expect(source.length, `the source of ${id} names a chat template, a model card or the like`).toBeGreaterThan(10);
    }
  });

  it('knows every model that the summary of hermes names', () => {
    const summary = knownForms.get('hermes')?.summary ?? '';
    for (const [said, name] of [
      ['Hermes 2', 'hermes-2-pro'],
      ['Qwen2.5', 'qwen2.5-7b'],
      ['Qwen3 (but Qwen3-Coder', 'qwen3-8b'],
      ['QwQ', 'qwq-32b'],
      ['Granite 4', 'granite-4.0'],
    ] as const) {
      expect(summary).toContain(said);
      expect(dialectOfModel(name, { takesTools: true })).toBe('hermes');
    }
  });
});
