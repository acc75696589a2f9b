import type { Prompts } from '@dragoman/core';
import { ConfigError } from '../config/problem.ts';
import type { PromptsConfig } from '../config/prompts-schema.ts';
import { PromptFiles, type PromptFilesOptions } from './prompt-files.ts';
import { promptSettings } from './prompt-settings.ts';

/** What a model rule says of prompts, and where. */
export interface PromptsQuestion {
  readonly own: boolean | undefined;
  /** The upstream does, so it is told one text for each turn. */
  readonly keepsConversation: boolean;
  /** The model gets its tools as fields, and its calls come as fields. */
  readonly isNative: boolean;
  /** The rule's path in the configuration. */
  readonly at: string;
}

const notNative =
  'a model whose calls are native reads no prompts; give "toolCalling" a dialect, or leave "prompts" out';

/** Gives each model its prompts, which all share. Throws ConfigError as `PromptFiles` does. */
export function promptsOfModels(
  general: PromptsConfig | undefined,
  options: Pick<PromptFilesOptions, 'now' | 'report' | 'files'> & { readonly cwd: string },
): (question: PromptsQuestion) => Prompts | undefined {
  let shared: Prompts | undefined;
  return ({ own, keepsConversation, isNative, at }) => {
    if (!(own ?? (keepsConversation && general !== undefined))) return undefined;
    if (isNative) throw new ConfigError([{ path: `${at}.prompts`, reason: notNative }]);
    shared ??= new PromptFiles({ ...options, settings: promptSettings(general ?? {}, options.cwd) });
    return shared;
  };
}
