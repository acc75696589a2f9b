import { anyJson } from '../forms/json.ts';
import { python } from '../forms/python.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Calls in a code fence whose word says so. */
export const gemmaFence = tableDialect(
  'gemma-fence',
  {
    call: {
      form: 'python',
      opener: ['```tool_code\n', '```tool_calls', '```tool_call'],
      closer: '\n```',
      grouping: 'sequence',
      between: '\n',
      // Google's prompts declare the functions in a module of this name, which comes before some.
      prefix: 'default_api.',
      wrappers: ['print'],
    },
    // Either word comes before either form.
    also: [{ form: 'json', opener: ['```tool_code', '```tool_calls', '```tool_call'], closer: '```' }],
    // A result is a line of JSON, so that no fence of its own closes it.
    result: {
      around: { opener: '```tool_output\n', closer: '\n```' },
      opener: '',
      closer: '',
      json: { name: '{name}', content: '{text}' },
      read: ['```tool_output'],
    },
    turnEnds: ['<end_of_turn>'],
    markers: ['```tool_code', '```tool_call', '```tool_output', '<start_of_turn>'],
    lesson: {
      intro: 'You can call the functions below, each described as JSON with the JSON Schema of its parameters:',
      tools: { opener: '', closer: '' },
      form: 'To call functions, write a code fence of the kind tool_code with one Python call on each line:\n\n```tool_code\nTOOL_NAME(PARAMETER="VALUE", PARAMETER=1)\n```',
      rules: ['{values} No other code stands in the fence.', 'The results come in a fence of the kind tool_output.'],
    },
  },
  { python, json: anyJson },
);
