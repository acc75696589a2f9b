import { json } from '../forms/json.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list of calls between markers in the plural, after thinking that ends where the answer begins. */
export const apriel = tableDialect(
  'apriel',
  {
    call: {
      form: 'json',
      opener: ['<tool_calls>', '<tool_call>'],
      closer: ['</tool_calls>', '</tool_call>'],
      grouping: 'list',
    },
    reasoning: { opener: [{ text: 'Here are my reasoning steps:' }], closer: '[BEGIN FINAL RESPONSE]' },
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    otherTurns: ['<|begin_tool_result|>', '<|begin_user|>', '<|tool_result|>', '<|user|>'],
    turnEnds: ['<|end|>'],
    silent: ['[END FINAL RESPONSE]'],
    markers: spellings(['<|'], ['begin_', ''], ['system|>', 'user|>', 'assistant|>', 'tool_result|>', 'content|>']),
    plainMarkup: true,
    lesson: {
      tools: { opener: '<available_tools>\n', closer: '\n</available_tools>' },
      form: 'To call tools, write one JSON list of all calls between <tool_calls> and </tool_calls>:\n\n{example}',
      rules: ['Calls come after your reasoning, never in it. Every reply has at most one list, and it is valid JSON.'],
    },
  },
  { json, markerRepairs, reasoning },
);
