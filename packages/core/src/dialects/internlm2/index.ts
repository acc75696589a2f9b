import { anyJson } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON object between the tokens of an action. */
export const internlm2 = tableDialect(
  'internlm2',
  {
    call: {
      form: 'json',
      opener: [
        '<|action_start|><|plugin|>\n',
        '<|action_start|> <|plugin|>',
        '<|action_start|>\n<|plugin|>',
        { text: '<|plugin|>', repair: 'tokens' },
        { text: '<|action_start|>', repair: 'tokens' },
      ],
      closer: '<|action_end|>',
      keys: { arguments: 'parameters' },
    },
    // The model's own frame, an `environment` turn, is not ours to open.
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    otherTurns: ['<|im_start|>environment'],
    turnEnds: ['<|im_end|>', '</s>'],
    markers: ['<|interpreter|>'],
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call a tool, write a JSON object with its name and its parameters between these tokens:\n\n{example}',
      rules: ['Every call has its own tokens, and it is valid JSON.'],
    },
  },
  { json: anyJson, markerRepairs },
);
