import { json } from '../forms/json.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** JSON objects between `<tool_call>` markers. */
export const hermes = tableDialect(
  'hermes',
  {
    call: { form: 'json', opener: '<tool_call>\n', closer: '\n</tool_call>' },
    result: { opener: '<tool_response>\n', closer: '\n</tool_response>' },
    turnEnds: ['<|im_end|>', '<|endoftext|>'],
    plainMarkup: true,
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call a tool, write a JSON object with its name and its arguments between <tool_call> and </tool_call>:\n\n{example}',
      rules: ['Every call has its own <tool_call> block, and the arguments are valid JSON.'],
    },
  },
  { json },
);
