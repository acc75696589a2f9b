import { json } from '../forms/json.ts';
import { tags } from '../forms/tags.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Pairs of keys and values in sibling tags. */
export const glm = tableDialect(
  'glm',
  {
    call: {
      form: 'tags',
      opener: '<tool_call>',
      // A bracket ends the name where a JSON object comes after it.
      end: ['\n', '>'],
      closer: '</tool_call>',
      // Under load the opener of a value is missing.
      parameter: {
        opener: '<arg_key>',
        end: '</arg_key>\n',
        value: '<arg_value>',
        closer: '</arg_value>\n',
      },
    },
    also: [{ form: 'json', opener: '<tool_call>', closer: '</tool_call>', repair: 'json' }],
    result: { opener: '<tool_response>\n', closer: '\n</tool_response>' },
    // A turn of the model ends with the token that opens the next one.
    otherTurns: ['<|observation|>', '<|user|>'],
    turnEnds: ['<|observation|>', '<|user|>', '<|endoftext|>'],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call a tool, write its name and then each argument as a key and a value:\n\n{example}',
      rules: ['Every call has its own <tool_call> block.', '{values}'],
    },
  },
  { tags, json, markerRepairs },
);
