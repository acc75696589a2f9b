import { noStreamOptionsQuirk, noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';
import { templateNames } from './templates.ts';

/** How servers that speak Completions depart from it, and what their models want to read. */
export const openaiCompletionsQuirks = {
  template: {
    meaning:
      'The template that makes one prompt of a conversation: `plain` (default; headings that any model reads), `chatml` (Qwen, Hermes, Yi), `llama3` or `mistral`. Take the one that the model was trained with.',
    value: templateNames,
  },
  noStream: noStreamQuirk,
  noStreamOptions: noStreamOptionsQuirk,
} as const satisfies QuirkTable;

export type OpenaiCompletionsQuirk = keyof typeof openaiCompletionsQuirks;
