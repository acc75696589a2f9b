import type { Dialect } from '../dialect.ts';
import { createParser } from './parser.ts';
import { markers, renderCalls, renderResults, renderTools } from './prompt.ts';

/** JSON objects between `<tool_call>` markers. */
export const hermes: Dialect = {
  id: 'hermes',
  summary:
    '`<tool_call>{"name":…,"arguments":{…}}</tool_call>`: Hermes 2 to 4, Qwen2.5, Qwen3 (but Qwen3-Coder and 3.5 write another form), QwQ, Granite 4',
  markers,
  renderTools,
  renderCalls,
  renderResults,
  createParser,
};
