import { json } from '../forms/json.ts';
import { tags } from '../forms/tags.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';
import type { Literal } from '../table.ts';

/** Every tag with its prefix, and without: models forget it inside a call, at its end, or everywhere. `behind`: what is written behind it. */
function tag(before: '<' | '</', name: string, after = ''): readonly Literal[] {
  return [`${before}longcat_${name}${after}`, { text: before + name, repair: 'tokens' }];
}

/** Pairs of keys and values in sibling tags with a prefix; older builds write JSON. */
export const longcat = tableDialect(
  'longcat',
  {
    call: {
      form: 'tags',
      opener: tag('<', 'tool_call>'),
      end: ['\n', '>'],
      closer: tag('</', 'tool_call>'),
      parameter: {
        opener: tag('<', 'arg_key>'),
        end: ['</longcat_arg_key>\n', '</arg_key>'],
        value: tag('<', 'arg_value>'),
        closer: tag('</', 'arg_value>', '\n'),
      },
    },
    also: [{ form: 'json', opener: tag('<', 'tool_call>'), closer: tag('</', 'tool_call>') }],
    reasoning: { opener: '<longcat_think>', closer: '</longcat_think>' },
    result: {
      opener: '<longcat_tool_response>\n',
      closer: '\n</longcat_tool_response>',
      read: ['<longcat_tool_response>', '<tool_response>'],
    },
    // A turn of the model may end with the token that opens the next one.
    otherTurns: ['<longcat_user>', '<longcat_system>'],
    turnEnds: ['</longcat_s>', '<longcat_user>', '<longcat_system>'],
    markers: ['</tool_response>', '<longcat_s>', '<longcat_assistant>'],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call a tool, write its name and then each argument as a key and a value:\n\n{example}',
      rules: ['Every call has its own <longcat_tool_call> block.', '{values}'],
    },
  },
  { tags, json, markerRepairs, reasoning },
);
