// Table: the forms in which conversations are written as one prompt.

import type { SearchedMarker } from '../../chat/marker-search.ts';

/** What stands before and after a turn's text. */
type Enclosure = readonly [before: string, after: string];

/** How a model that reads one text was taught to tell turns apart. */
export interface Template {
  /** `in-user`: there are no system turns; the text comes before the user's. */
  readonly system: Enclosure | 'in-user';
  readonly user: Enclosure;
  readonly assistant: Enclosure;
  /** What is at the end of the prompt, where the model begins its turn. */
  readonly opener: string;
  /** Where a model that goes on as somebody else is stopped. */
  readonly stop: readonly string[];
  /** What could open or close a turn. It is escaped in every text. */
  readonly markers: readonly SearchedMarker[];
}

export const templateNames = ['plain', 'chatml', 'llama3', 'mistral'] as const;

export type ChatTemplateName = (typeof templateNames)[number];

const anyCase = (text: string): SearchedMarker => ({ text, anyCase: true });

/**
 * The built-in forms. None begins with a token for the beginning of a text: servers put it there themselves. Sources:
 * the chat templates published with the models (Qwen2.5, Llama 3.1, Mistral 7B v0.3).
 */
export const templates: Readonly<Record<ChatTemplateName, Template>> = {
  plain: {
    system: ['### System:\n', '\n\n'],
    user: ['### User:\n', '\n\n'],
    assistant: ['### Assistant:\n', '\n\n'],
    opener: '### Assistant:\n',
    stop: ['### User:', '### System:'],
    markers: [anyCase('### System:'), anyCase('### User:'), anyCase('### Assistant:')],
  },
  chatml: {
    system: ['<|im_start|>system\n', '<|im_end|>\n'],
    user: ['<|im_start|>user\n', '<|im_end|>\n'],
    assistant: ['<|im_start|>assistant\n', '<|im_end|>\n'],
    opener: '<|im_start|>assistant\n',
    stop: ['<|im_end|>', '<|im_start|>'],
    markers: ['<|im_start|>', '<|im_end|>', '<|endoftext|>'],
  },
  llama3: {
    system: ['<|start_header_id|>system<|end_header_id|>\n\n', '<|eot_id|>'],
    user: ['<|start_header_id|>user<|end_header_id|>\n\n', '<|eot_id|>'],
    assistant: ['<|start_header_id|>assistant<|end_header_id|>\n\n', '<|eot_id|>'],
    opener: '<|start_header_id|>assistant<|end_header_id|>\n\n',
    stop: ['<|eot_id|>', '<|start_header_id|>'],
    markers: [
      '<|begin_of_text|>',
      '<|end_of_text|>',
      '<|start_header_id|>',
      '<|end_header_id|>',
      '<|eot_id|>',
      '<|eom_id|>',
    ],
  },
  mistral: {
    system: 'in-user',
    user: ['[INST] ', '[/INST]'],
    assistant: [' ', '</s>'],
    opener: '',
    stop: ['</s>', '[INST]'],
    markers: ['[INST]', '[/INST]', '<s>', '</s>'],
  },
};
