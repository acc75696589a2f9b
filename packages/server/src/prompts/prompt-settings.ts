import { resolve } from 'node:path';
import type { Prompts } from '@dragoman/core';
import type { PromptsConfig } from '../config/prompts-schema.ts';

/** Where the prompts are, by an absolute path, and how they are filled. */
export interface PromptSettings {
  readonly folder?: string;
  readonly toolDocs: Prompts['toolDocs'];
  readonly context: Prompts['context'];
}

/** What the configuration says, with the defaults. A relative path counts from `cwd`. */
export function promptSettings({ folder, toolDocs, context }: PromptsConfig, cwd: string): PromptSettings {
  return {
    ...(folder === undefined ? {} : { folder: resolve(cwd, folder) }),
    toolDocs: toolDocs ?? 'signature',
    context: context ?? 'merge',
  };
}
