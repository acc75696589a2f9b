import { expect, it } from 'vitest';
import { readableName } from './listed-fields.ts';

it.each([
  ['var/lib/models/SmolLM2-135M-Instruct.Q4_1.gguf', 'SmolLM2-135M-Instruct.Q4_1'],
  ['C:\\models\\qwen2.5-7b.gguf', 'qwen2.5-7b'],
  ['gemma.GGUF', 'gemma'],
  ['/models/Qwen3-235B-Q4_K_M-00001-of-00003.gguf', 'Qwen3-235B-Q4_K_M'],
  ['/models/Qwen2.5-7B-Instruct/', 'Qwen2.5-7B-Instruct'],
  ['/models/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218', 'Qwen3-8B'],
  ['~/models/x', 'x'],
  ['/', '/'],
  ['qwen3:8b', undefined],
  ['unsloth/Qwen3-8B-GGUF', undefined],
  ['hf.co/unsloth/Qwen3-GGUF:Q4_K_M', undefined],
])('%s is called %s', (id, name) => {
  expect(readableName(id)).toBe(name);
});
