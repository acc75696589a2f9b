import type { LanguageModelV3Middleware } from '@ai-sdk/provider';
import type { DragomanOptions } from './options.ts';
import { forVersion6 } from './read-older-sdk.ts';

export type { DragomanOptions } from './options.ts';

/** `dragoman` of this package, for version 6 of the AI SDK. Throws as it does. */
export function dragoman(options: DragomanOptions = {}): LanguageModelV3Middleware {
  return forVersion6(options);
}
