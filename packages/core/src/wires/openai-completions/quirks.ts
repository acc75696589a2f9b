import { noStreamQuirk } from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';
import { templateNames } from './templates.ts';

/** How servers that speak Completions depart from it, and what their models want to read. */
export const openaiCompletionsQuirks = {
  template: {
    meaning:
      'How a conversation is written as one prompt: `plain` (default; headings that any model reads), `chatml` (Qwen, Hermes, Yi), `llama3` or `mistral`. Take the one that the model was trained with.',
    value: templateNames,
  },
  noStream: noStreamQuirk,
  noStreamOptions: 'Refuses `stream_options`; usage is then counted by the gateway.',
} as const satisfies QuirkTable;

export type OpenaiCompletionsQuirk = keyof typeof openaiCompletionsQuirks;
