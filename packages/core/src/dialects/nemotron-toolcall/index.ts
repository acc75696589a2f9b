import { json } from '../forms/json.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list of calls between markers. */
export const nemotronToolcall = tableDialect(
  'nemotron-toolcall',
  {
    call: { form: 'json', opener: '<TOOLCALL>', closer: '</TOOLCALL>', grouping: 'list' },
    result: {
      around: { opener: '<TOOL_RESPONSE>[', closer: ']</TOOL_RESPONSE>' },
      opener: '',
      closer: '',
      between: ', ',
      json: { name: '{name}', content: '{text}' },
      read: ['<TOOL_RESPONSE>'],
    },
    otherTurns: ['<SPECIAL_11>User'],
    turnEnds: ['<SPECIAL_12>', '<|eot_id|>'],
    markers: ['</TOOL_RESPONSE>', '<AVAILABLE_TOOLS>', '</AVAILABLE_TOOLS>', '<SPECIAL_10>', '<SPECIAL_11>'],
    plainMarkup: true,
    // The model's own template doubles the braces and shows arguments as a string; this says what it means.
    lesson: {
      intro: 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '<AVAILABLE_TOOLS>[', between: ', ', closer: ']</AVAILABLE_TOOLS>', tool: 'fields' },
      form: 'To call tools, write one JSON list of all calls between <TOOLCALL> and </TOOLCALL>:\n\n{example}',
      rules: ['The list is valid JSON, and the arguments are an object, not a string.'],
    },
  },
  { json },
);
