import { tags } from '../forms/tags.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A name on its own line, then keys and values between tokens. */
export const solarOpen2 = tableDialect(
  'solar-open2',
  {
    call: {
      form: 'tags',
      opener: '<|tool_call:start|>',
      end: '\n',
      closer: '<|tool_call:end|>',
      parameter: { opener: '<|tool_arg:start|>', end: '<|tool_arg:value|>', closer: '<|tool_arg:end|>\n' },
    },
    reasoning: { opener: '<|think:start|>', closer: '<|think:end|>' },
    result: { opener: '<|tool_response:start|>', closer: '<|tool_response:end|>' },
    otherTurns: ['<|im:start|>tool', '<|im:start|>user'],
    turnEnds: ['<|im:end|>', '<|endoftext|>'],
    silent: ['<|im:content|>'],
    markers: ['<|tool_arg:start|>', '<|tool_arg:value|>', '<|tool_arg:end|>', '<|im:start|>'],
    lesson: {
      intro: 'You can call the tools below. Each is described as JSON, with the JSON Schema of its parameters.',
      tools: { opener: '', closer: '', each: { opener: '<|tool:start|>', closer: '<|tool:end|>' } },
      form: 'To call a tool, write its name and then each argument on a line of its own:\n\n{example}',
      rules: ['Every call is between its own markers.', '{values}'],
    },
  },
  { tags, reasoning },
);
