import { fits } from './wildcards.ts';

/**
 * Context windows of families of models whose servers often tell none, in tokens. A table; the first pattern that fits counts. Local
 * servers load models with less than they were trained for, so it is asked last, and what it says is told as a guess.
 */
const windows: readonly (readonly [string, number])[] = [
  ['*gpt-5*', 400_000],
  ['*gpt-4.1*', 1_047_576],
  ['*gpt-4o*', 128_000],
  ['*gpt-oss*', 131_072],
  ['*claude*', 200_000],
  ['*gemini*', 1_048_576],
  ['*qwen3-coder*', 262_144],
  ['*qwen3*', 131_072],
  ['*qwen2.5*', 32_768],
  ['*llama-4*', 1_048_576],
  ['*llama-3.*', 131_072],
  ['*llama3.*', 131_072],
  ['*deepseek*', 131_072],
  ['*devstral*', 131_072],
  ['*mistral*', 32_768],
  ['*glm-4*', 131_072],
  ['*kimi*', 131_072],
  ['*gemma-3*', 131_072],
  ['*gemma3*', 131_072],
];

/** Where nothing at all is known. */
const unknown = 32_768;

export function guessWindow(id: string): number {
  return windows.find(([pattern]) => fits(id, pattern))?.[1] ?? unknown;
}
