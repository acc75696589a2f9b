import { json } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list of calls between markers in the plural. */
export const jamba = tableDialect(
  'jamba',
  {
    call: {
      form: 'json',
      opener: ['<tool_calls>', '<tool_call>'],
      closer: ['</tool_calls>', '</tool_call>'],
      grouping: 'list',
      brackets: { opener: '[\n', closer: '\n]' },
      between: ',\n',
    },
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    otherTurns: ['<|bom|><|tool|>', '<|bom|><|user|>'],
    turnEnds: ['<|eom|>'],
    markers: ['<|bom|>', '<tool_definitions>', '</tool_definitions>'],
    plainMarkup: true,
    lesson: {
      intro: 'You can call the tools below. Each is described as JSON, with the JSON Schema of its parameters.',
      // The template indents them, which would cost tokens.
      tools: {
        opener: '<tool_definitions>\n# Tools\n\n## Functions\n\n',
        between: '\n\n',
        closer: '\n</tool_definitions>',
        tool: 'fields',
      },
      form: 'To call tools, write one JSON list of all calls between <tool_calls> and </tool_calls>:\n\n{example}',
      rules: ['Every reply has at most one list, and it is valid JSON.'],
    },
  },
  { json, markerRepairs },
);
