import { header } from '../forms/header.ts';
import { json } from '../forms/json.ts';
import { namedTags } from '../forms/named-tags.ts';
import { tags } from '../forms/tags.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Tags with the name after `=`, values as text on lines of their own. */
export const qwen3Coder = tableDialect(
  'qwen3-coder',
  {
    call: {
      form: 'tags',
      block: { opener: '<tool_call>\n', closer: '\n</tool_call>' },
      // Other spellings that have been seen: `<function name="N">`, `<function N>`.
      opener: ['<function=', { text: '<function name="', end: '">' }, { text: '<function ', end: '>' }],
      // A second `=` where the bracket should be occurs.
      end: ['>\n', '='],
      closer: ['</function>', '</function_invocation>'],
      parameter: {
        opener: ['<parameter=', { text: '<parameter name="', end: '">' }, { text: '<parameter ', end: '>' }],
        end: ['>\n', '='],
        closer: '\n</parameter>\n',
      },
    },
    also: [
      // Models that know the form of Functionary write JSON in the same tag.
      {
        form: 'header',
        opener: '<function=',
        separator: '>',
        closer: ['</function>', '</function_invocation>'],
        guarded: true,
        notBefore: ['<parameter'],
        argumentsRepair: 'json',
        first: true,
      },
      { form: 'json', opener: '<tool_call>', closer: '</tool_call>', repair: 'json' },
      // They also write the names of parameters as tags.
      { form: 'named-tags', opener: '<function=', end: '>', closer: '</function>', repair: 'spelling' },
    ],
    result: { opener: '<tool_response>\n', closer: '\n</tool_response>' },
    turnEnds: ['<|im_end|>', '<|endoftext|>'],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call a tool, write a block of this form:\n\n{example}',
      rules: [
        'Every call has its own <tool_call> block with one <function=…> in it, and every parameter its own <parameter=…>.',
        'A value stands on lines of its own between its tags. Write strings as they are, without quotes and without escaping; write objects, arrays, numbers and booleans as JSON.',
      ],
    },
  },
  { tags, header, json, 'named-tags': namedTags, sections, markerRepairs },
);
