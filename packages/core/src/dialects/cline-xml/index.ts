import type { Dialect } from '../dialect.ts';
import { createParser } from './parser.ts';
import { markers, renderCalls, renderResults, renderTools } from './prompt.ts';

/** Tags that are the names of the tools and of their parameters. */
export const clineXml: Dialect = {
  id: 'cline-xml',
  summary: '`<read><path>…</path></read>`: any strong model by prompt',
  markers,
  renderTools,
  renderCalls,
  renderResults,
  createParser,
};
