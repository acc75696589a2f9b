import type { Dialect } from '../dialect.ts';
import { createParser } from './parser.ts';
import { markers, renderCalls, renderResults, renderTools } from './prompt.ts';

/** Sections of calls with the model's own ids in front of JSON arguments. */
export const kimiK2: Dialect = {
  id: 'kimi-k2',
  summary: '`<|tool_call_begin|>functions.NAME:INDEX<|tool_call_argument_begin|>{…}<|tool_call_end|>`: Kimi K2',
  markers,
  renderTools,
  renderCalls,
  renderResults,
  createParser,
};
