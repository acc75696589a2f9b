import { z } from 'zod';
import { optional } from './schema-values.ts';

/** The prompts of models: files, and how they are filled. What is left out is built in. */
export const promptsSchema = z.strictObject({
  folder: optional.text.describe(
    'A folder with templates such as `first-tools.jinja`, and with `rules.md`; those that it lacks are built in. `dragoman prompts --write DIR` makes one. A relative path counts from where the gateway starts.',
  ),
  toolDocs: optional
    .word(['line', 'signature', 'stub', 'schema'])
    .describe(
      'How `tool_list` tells a tool: `name: description`, `name(path: string)`, that with all descriptions, or its whole schema. Default: `signature`.',
    ),
  context: optional
    .word(['merge', 'newest'])
    .describe('Of several contexts: each once, or of those with the same tag only the newest. Default: `merge`.'),
});

export type PromptsConfig = z.output<typeof promptsSchema>;
