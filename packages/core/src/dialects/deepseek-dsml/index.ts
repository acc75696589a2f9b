import { tokenTags } from '../families/common.ts';
import { tags } from '../forms/tags.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** The tag around calls in V3.2, V4 and V4.1. */
const dsml = tokenTags('DSML', ['function_calls', 'tool_calls', 'calls']);

/** Tags with a token before their names; an attribute says whether a value is text or JSON. */
export const deepseekDsml = tableDialect(
  'deepseek-dsml',
  {
    ...dsml,
    result: {
      around: { opener: '<function_results>\n', closer: '\n</function_results>' },
      opener: '<result>',
      closer: '</result>',
    },
    // As V4 is shown them.
    otherTurns: ['<tool_result>', '<｜User｜>'],
    turnEnds: ['<｜end▁of▁sentence｜>'],
    markers: [
      ...dsml.markers,
      ...['<result>', '</tool_result>'],
      ...spellings(['<｜'], ['User', 'Assistant', 'begin▁of▁sentence', 'end▁of▁sentence'], ['｜>']),
    ],
    lesson: {
      ...dsml.lesson,
      tools: { opener: '<functions>\n', closer: '\n</functions>', tool: 'fields' },
    },
  },
  { tags, sections, markerRepairs },
);
