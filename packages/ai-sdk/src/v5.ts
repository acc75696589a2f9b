import type { LanguageModelV2Middleware } from '@ai-sdk/provider';
import type { DragomanOptions } from './options.ts';
import { forVersion5 } from './read-older-sdk.ts';

export type { DragomanOptions } from './options.ts';

/** `dragoman` of this package, for version 5 of the AI SDK. Throws as it does. */
export function dragoman(options: DragomanOptions = {}): LanguageModelV2Middleware {
  return forVersion5(options);
}
