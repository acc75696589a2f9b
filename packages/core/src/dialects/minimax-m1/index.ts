import { json } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** JSON objects, a line each, between markers in the plural. */
export const minimaxM1 = tableDialect(
  'minimax-m1',
  {
    call: {
      form: 'json',
      opener: ['<tool_calls>\n', '<tool_call>'],
      closer: ['\n</tool_calls>', '</tool_call>'],
      grouping: 'sequence',
      between: '\n',
    },
    result: {
      opener: 'tool name: {name}\ntool result: ',
      closer: '',
      between: '\n\n',
      read: ['tool name:', 'tool result:', 'Tool name:', 'Tool result:'],
    },
    // The vendor's guide writes turns with tokens of other names than its template.
    otherTurns: ['<beginning_of_sentence>tool', '<beginning_of_sentence>user'],
    turnEnds: ['<end_of_sentence>', '[e~['],
    markers: ['<beginning_of_sentence>'],
    plainMarkup: true,
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call tools, write a JSON object for each call, a line each, between <tool_calls> and </tool_calls>:\n\n{example}',
      rules: ['All calls of a reply are in one block, and each is valid JSON.'],
    },
  },
  { json, markerRepairs },
);
