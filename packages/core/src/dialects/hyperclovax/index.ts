import { json } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Where the end of thinking is missing, or servers leave out tokens, the next role is the one sign that it is over. */
const until = ['<|im_start|>', { text: 'assistant -> tool/function_call\n' }];

/** Messages whose role says what they are: thinking, an answer, or calls. */
export const hyperclovax = tableDialect(
  'hyperclovax',
  {
    call: {
      form: 'json',
      opener: [
        '<|im_start|>assistant -> tool/function_call\n',
        // Servers that leave out tokens leave the words of the role.
        { text: 'assistant -> tool/function_call', place: 'line-start', repair: 'tokens' },
        // The prompt has written the first role, so a reply may begin with what the model adds to it.
        { text: '-> tool/function_call', place: 'reply-start' },
      ],
      closer: ['', '<|im_end|>'],
      closerOptional: true,
      grouping: 'list',
      written: '<|im_end|>\n{call}',
    },
    reasoning: [
      { opener: [{ text: '<|im_start|>assistant/think\n' }], closer: '<|im_end|>', until },
      { opener: [{ text: '/think\n' }], closer: '<|im_end|>', until, atStart: true },
    ],
    // Where servers leave out tokens, the role alone comes before what the model makes up.
    result: {
      opener: '<|im_start|>tool/function_call\n',
      closer: '<|im_end|>',
      read: [{ text: 'tool/function_call\n' }],
    },
    turnEnds: ['<|im_end|>', '<|stop|>', '<|endofturn|>'],
    silent: [{ text: '<|im_start|>assistant\n' }, { text: '<|im_start|>assistant' }],
    markers: [
      'assistant -> tool/function_call',
      '-> tool/function_call',
      '<|im_start|>tool/function_call',
      'tool/function_call\n',
      '<|im_start|>assistant/think',
      '<|im_start|>assistant',
    ],
    lesson: {
      intro: 'You can call the tools in this list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '[', between: ',\n', closer: ']', tool: 'fields' },
      form: 'To call tools, end your message and write another one under the role `assistant -> tool/function_call`, with a JSON list of all calls:\n\n{example}',
      rules: ['The list is valid JSON, and nothing follows it.'],
    },
  },
  { json, markerRepairs, reasoning },
);
