import { namedResult } from '../families/common.ts';
import { header } from '../forms/header.ts';
import { json } from '../forms/json.ts';
import { namedTags } from '../forms/named-tags.ts';
import { tags } from '../forms/tags.ts';
import { pythonStubs } from '../readers/python-stub.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Tags with the name after `=` in a wrapper of their own, values as they are. */
export const seedOss = tableDialect(
  'seed-oss',
  {
    call: {
      form: 'tags',
      // Without its special tokens the wrapper is that of the models that write the same body.
      block: {
        opener: ['<seed:tool_call>\n', '<tool_call>'],
        closer: ['\n</seed:tool_call>', '</tool_call>'],
      },
      opener: ['<function=', { text: '<function name="', end: '">' }],
      end: '>\n',
      closer: '</function>',
      parameter: {
        opener: ['<parameter=', { text: '<parameter name="', end: '">' }],
        end: '>',
        closer: '</parameter>\n',
      },
    },
    also: [
      // Models that know the form of Functionary write JSON in the same tag.
      {
        form: 'header',
        opener: '<function=',
        separator: '>',
        closer: '</function>',
        guarded: true,
        notBefore: ['<parameter'],
        argumentsRepair: 'json',
        first: true,
      },
      {
        form: 'json',
        opener: ['<seed:tool_call>', '<tool_call>'],
        closer: ['</seed:tool_call>', '</tool_call>'],
        repair: 'json',
      },
      // They also write the names of parameters as tags.
      { form: 'named-tags', opener: '<function=', end: '>', closer: '</function>', repair: 'spelling' },
    ],
    reasoning: { opener: '<seed:think>', closer: '</seed:think>' },
    result: namedResult,
    turnEnds: ['<seed:eos>'],
    lesson: {
      intro: 'You can call the functions below. Each is described in Python, with the JSON Schema of its parameters.',
      tools: { opener: '', between: '\n\n', closer: '', each: { opener: 'Function:\n', closer: '' }, tool: 'python' },
      form: 'To call a tool, write a block of this form:\n\n{example}',
      rules: [
        'Every call has its own <seed:tool_call> block with one <function=…> in it, and every parameter its own <parameter=…>.',
        '{values}',
      ],
    },
  },
  { tags, header, json, 'named-tags': namedTags, sections, markerRepairs, reasoning, readers: { python: pythonStubs } },
);
