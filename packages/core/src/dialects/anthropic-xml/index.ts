import type { Dialect } from '../dialect.ts';
import { createParser } from './parser.ts';
import { markers, renderCalls, renderResults, renderTools } from './prompt.ts';

/** Tags with a `name` attribute, values as they are. */
export const anthropicXml: Dialect = {
  id: 'anthropic-xml',
  summary:
    '`<invoke name="…"><parameter name="…">…</parameter></invoke>`: Claude by prompt, models trained on its transcripts',
  markers,
  renderTools,
  renderCalls,
  renderResults,
  createParser,
};
