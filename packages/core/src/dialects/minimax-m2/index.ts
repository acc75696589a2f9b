import { minimaxMarkers, minimaxTools } from '../families/minimax.ts';
import { tags } from '../forms/tags.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Tags with a `name` attribute in a wrapper of their own, values as they are. */
export const minimaxM2 = tableDialect(
  'minimax-m2',
  {
    call: {
      form: 'tags',
      opener: '<invoke name="',
      end: '">\n',
      closer: '</invoke>',
      parameter: { opener: '<parameter name="', end: '">', closer: '</parameter>\n' },
    },
    // The same tags are in the wrapper of Claude, too.
    section: {
      opener: ['<minimax:tool_call>\n', '<function_calls>'],
      closer: ['\n</minimax:tool_call>', '</function_calls>'],
    },
    result: { opener: '<response>', closer: '</response>' },
    turnEnds: ['[e~['],
    markers: minimaxMarkers,
    lesson: {
      tools: minimaxTools,
      form: 'To call tools, write a block of this form:\n\n{example}',
      rules: ['All calls of a reply are in one <minimax:tool_call> block, each in its own <invoke>.', '{values}'],
    },
  },
  { tags, sections },
);
