import { json } from '../forms/json.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** JSON objects between `<tool_call>` markers, with tags around the visible text. */
export const ernie45 = tableDialect(
  'ernie45',
  {
    call: { form: 'json', opener: '<tool_call>\n', closer: '\n</tool_call>' },
    result: { opener: '<tool_response>\n', closer: '\n</tool_response>' },
    otherTurns: ['<tool_output>'],
    turnEnds: ['<|im_end|>', '</s>'],
    silent: ['<response>', '</response>'],
    markers: ['</tool_output>'],
    lesson: {
      tools: { opener: '<tool_list>\n', closer: '\n</tool_list>' },
      form: 'To call a tool, write a JSON object with its name and its arguments between <tool_call> and </tool_call>:\n\n{example}',
      rules: ['Every call has its own <tool_call> block, which comes after your thinking and outside <response>.'],
    },
  },
  { json },
);
