import { z } from 'zod';
import { optional } from './schema-values.ts';

/** The prompts of models: files, and how they are filled. What is left out is built in. */
export const promptsSchema = z.strictObject({
  folder: optional.text.describe(
    'A folder with `rules.md` and templates such as `first-tools.jinja`. What it lacks is built in. `dragoman prompts --write DIR` makes one. A relative path begins where the gateway starts.',
  ),
  toolDocs: optional
    .word(['line', 'signature', 'stub', 'schema'])
    .describe(
      'What `tool_list` says of a tool. `line`: `name: description`. `signature` (default): `name(path: string)`. `stub`: that with all descriptions. `schema`: its whole schema.',
    ),
  context: optional
    .word(['merge', 'newest'])
    .describe('Of several contexts. `merge` (default): each once. `newest`: of those with the same tag the newest.'),
});

export type PromptsConfig = z.output<typeof promptsSchema>;
