import { json } from '../forms/json.ts';
import { tags } from '../forms/tags.ts';
import { anySuffix } from '../parser/scanner.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A tag as each checkpoint writes it: V4 puts a suffix after the name of every one. */
function tag(begin: string): readonly string[] {
  return [`${begin}>`, `${begin}:${anySuffix}>`];
}

/** A token that ends a turn or begins another side's. */
function turn(name: string): readonly string[] {
  return [`<｜hy_${name}｜>`, `<｜hy_${name}:${anySuffix}｜>`];
}

/** Pairs of keys and values in sibling tags, a separator after the name, all calls in one section. */
export const hyV3 = tableDialect(
  'hy-v3',
  {
    call: {
      form: 'tags',
      // V4, whose tags have a suffix, has no separator.
      opener: ['<tool_call>', { text: `<tool_call:${anySuffix}>`, end: ['\n', ...tag('<tool_sep')] }],
      end: ['<tool_sep>\n', `<tool_sep:${anySuffix}>`],
      endRepair: 'separator',
      closer: tag('</tool_call'),
      parameter: {
        opener: tag('<arg_key'),
        end: ['</arg_key>\n', `</arg_key:${anySuffix}>`],
        value: tag('<arg_value'),
        closer: ['</arg_value>\n', `</arg_value:${anySuffix}>`],
      },
    },
    also: [{ form: 'json', opener: tag('<tool_call'), closer: tag('</tool_call'), repair: 'json' }],
    section: {
      opener: ['<tool_calls>\n', `<tool_calls:${anySuffix}>`],
      closer: ['\n</tool_calls>', `</tool_calls:${anySuffix}>`],
    },
    reasoning: [
      { opener: '<think>', closer: '</think>' },
      { opener: `<think:${anySuffix}>`, closer: `</think:${anySuffix}>` },
    ],
    result: {
      around: { opener: '<tool_responses>\n', closer: '\n</tool_responses>' },
      opener: '<tool_response>\n',
      closer: '\n</tool_response>',
      read: [...tag('<tool_responses'), ...tag('<tool_response')],
    },
    otherTurns: turn('User'),
    turnEnds: [...turn('eos'), ...turn('User'), ...turn('Assistant')],
    markers: [
      '<tool_sep>',
      '<tool_sep:',
      ...['</tool_responses', '</tool_response'].flatMap((begin) => [`${begin}>`, `${begin}:`]),
    ],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call tools, write one block with a name, then each argument as a key and a value, for every call:\n\n{example}',
      rules: ['All calls of a reply are in one <tool_calls> block, each in its own <tool_call>.', '{values}'],
    },
  },
  { tags, json, sections, markerRepairs, reasoning },
);
