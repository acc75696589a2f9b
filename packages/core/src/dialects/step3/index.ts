import { namedResult } from '../families/common.ts';
import { tags } from '../forms/tags.ts';
import { spellings, withLookAlikes, withRepair } from '../parser/markers/repaired-literals.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';
import type { Literal } from '../table.ts';

/** Either sign may be between the words. */
function marker(literal: string): readonly Literal[] {
  return withRepair(withLookAlikes([literal]), 'characters', (each) => each.replaceAll('_', '▁') === literal);
}

/** What is missing counts for more than other signs. */
function repaired(repair: 'header' | 'opener', ...literals: readonly string[]): readonly Literal[] {
  return withLookAlikes(literals).map((text) =>
    literals.includes(text.replaceAll('_', '▁')) ? { text, repair } : { text, repair: 'characters' },
  );
}

/** Tags in a namespace, between full-width tokens with a type word. */
export const step3 = tableDialect(
  'step3',
  {
    call: {
      form: 'tags',
      opener: '<steptml:invoke name="',
      end: '">\n',
      closer: '</steptml:invoke>',
      parameter: { opener: '<steptml:parameter name="', end: '">', closer: '</steptml:parameter>\n' },
      block: {
        opener: [
          '<｜tool_call_begin｜>function<｜tool_sep｜>',
          ...marker('<｜tool▁call▁begin｜>function<｜tool▁sep｜>'),
          ...repaired(
            'header',
            '<｜tool▁call▁begin｜>',
            '<｜tool▁call▁begin｜>function',
            '<｜tool▁call▁begin｜><｜tool▁sep｜>',
          ),
          ...repaired('opener', '<｜tool▁sep｜>'),
        ],
        closer: ['<｜tool_call_end｜>', ...marker('<｜tool▁call▁end｜>')],
      },
    },
    section: {
      opener: [
        '<｜tool_calls_begin｜>\n',
        ...marker('<｜tool▁calls▁begin｜>'),
        // The research model of the vendor has no tokens: its calls are in a tag.
        { text: '<steptml:toolcall>', alone: true },
      ],
      closer: ['\n<｜tool_calls_end｜>', ...marker('<｜tool▁calls▁end｜>'), '</steptml:toolcall>'],
      nested: true,
    },
    result: namedResult,
    otherTurns: [
      ...withLookAlikes(spellings(['<｜tool▁output'], ['s', ''], ['▁begin｜>'])),
      ...spellings(['<|BOT|>'], ['human', 'user', 'tool']),
    ],
    turnEnds: ['<|EOT|>'],
    markers: [
      // The word between the tokens is markup, too.
      ...withLookAlikes(['<｜tool▁call▁begin｜>function<｜tool▁sep｜>']),
      ...withLookAlikes(
        spellings(['<｜tool▁'], ['calls', 'call', 'outputs', 'output'], ['▁'], ['begin', 'end'], ['｜>']),
      ),
      '<|BOT|>',
    ],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call tools, end your reply with one section that holds every call:\n\n{example}',
      rules: [
        'Every call is between its own markers, and every parameter in its own <steptml:parameter …>.',
        '{values}',
      ],
    },
  },
  { tags, sections, markerRepairs },
);
