import { tags } from '../forms/tags.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Tags with a `name` attribute, values as they are or in CDATA. */
export const minicpm5 = tableDialect(
  'minicpm5',
  {
    call: {
      form: 'tags',
      opener: '<function name="',
      // A tag around all parameters is a token of its own, and may stand or not.
      end: ['">', '"><arguments>'],
      closer: ['</function>', '</arguments></function>', '</arguments>\n</function>'],
      // Models that know other dialects write the word out.
      parameter: {
        opener: ['<param name="', { text: '<parameter name="', repair: 'spelling' }],
        end: '">',
        closer: ['</param>', { text: '</parameter>', repair: 'spelling' }],
      },
    },
    section: { opener: '<tool_call>', closer: '</tool_call>', optional: true },
    result: { opener: '<tool_response>\n', closer: '\n</tool_response>' },
    turnEnds: ['<|im_end|>', '</s>'],
    markers: ['</arguments>'],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call a tool, write:\n\n{example}',
      rules: [
        'Every call has its own <function …>, and every parameter its own <param …>.',
        'Write strings as they are, without quotes; one that holds < or & stands in <![CDATA[ and ]]>. Write objects, arrays, numbers and booleans as JSON.',
      ],
    },
  },
  { tags, sections, markerRepairs },
);
