import { namedResult } from '../families/common.ts';
import { llamaMarkers } from '../families/llama.ts';
import { header } from '../forms/header.ts';
import { tags } from '../forms/tags.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A tag with the name around JSON arguments. */
export const functionaryV31 = tableDialect(
  'functionary-v3.1',
  {
    call: {
      form: 'header',
      opener: '<function=',
      separator: '>',
      closer: '</function>',
      between: '',
      guarded: true,
      notBefore: ['<parameter'],
    },
    also: [
      // Models that know the form of Qwen3-Coder go on as that does.
      {
        form: 'tags',
        opener: '<function=',
        end: '>',
        closer: '</function>',
        parameter: { opener: '<parameter=', end: '>\n', closer: '\n</parameter>' },
      },
    ],
    section: { opener: '<tool_call>', closer: '</tool_call>', optional: true },
    result: namedResult,
    turnEnds: ['<|eot_id|>', '<|eom_id|>'],
    markers: ['<function name=', ...llamaMarkers],
    lesson: {
      intro: 'You have access to the functions below, each described as JSON with the JSON Schema of its parameters:',
      tools: { opener: '', between: '\n\n', closer: '' },
      form: 'To call a function, write its name in a tag, and its arguments as JSON between that tag and the closing one:\n\n{example}',
      rules: ['Every call has its own tags and stands on one line. The arguments are a valid JSON object.'],
    },
  },
  { header, tags, sections },
);
