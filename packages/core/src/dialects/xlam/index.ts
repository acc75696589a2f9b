import { anyJson } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list of calls without any marker, or with those of other models. */
export const xlam = tableDialect(
  'xlam',
  {
    call: {
      form: 'json',
      opener: ['', '<tool_call>', '<tool_calls>'],
      closer: ['', '</tool_call>', '</tool_calls>'],
      grouping: 'list',
    },
    also: [
      { form: 'json', opener: '[TOOL_CALLS]', closer: '' },
      { form: 'json', opener: '```json', closer: '```', guarded: true },
    ],
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    turnEnds: ['<|im_end|>', '<|eot_id|>'],
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, write one JSON list of all calls on a line of its own:\n\n{example}',
      rules: ['The list is without a code fence, and it is valid JSON.'],
    },
  },
  { json: anyJson, markerRepairs },
);
