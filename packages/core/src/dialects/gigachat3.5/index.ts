import { functionNamespace, tokenTags } from '../families/common.ts';
import { tags } from '../forms/tags.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** The tag around calls, and what models that know the tags of DeepSeek write instead. */
const gcml = tokenTags('GCML', ['tool_calls', 'function_calls']);

/** Tags with a token before their names; an attribute says whether a value is text or JSON. */
export const gigachat35 = tableDialect(
  'gigachat3.5',
  {
    ...gcml,
    result: {
      opener: '<function_response name={quoted}>',
      closer: '</function_response>',
      read: [{ text: '<function_response name=' }],
    },
    // The turn's end before the role is part of the marker: prose may begin with the words.
    otherTurns: spellings(['<|message_sep|>'], ['\n\n', '\n', ''], ['function result<|role_sep|>', 'user<|role_sep|>']),
    turnEnds: ['<|message_sep|>', '</s>'],
    markers: [...gcml.markers, '<function_response', '<|role_sep|>'],
    lesson: {
      ...gcml.lesson,
      intro: 'You can call the functions of this namespace. The type of each is the JSON Schema of its arguments.',
      tools: functionNamespace,
    },
  },
  { tags, sections, markerRepairs },
);
