import { minimaxMarkers, minimaxTools } from '../families/minimax.ts';
import { namedTags } from '../forms/named-tags.ts';
import { tags } from '../forms/tags.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** The token before each tag. Tags without it are data. */
const mark = ']<]minimax[>[';

/** A tag with the token in front. Some white space between the two has been seen. `behind`: what is written behind it. */
function marked(tag: string, after = ''): readonly string[] {
  const [own = '', ...others] = spellings([mark], ['', '\n', ' '], [tag]);
  return [own + after, ...others];
}

const call = {
  form: 'tags',
  end: '">',
  closer: marked('</invoke>'),
  parameter: { opener: marked('<'), end: '>', closer: marked('</{key}>') },
  nested: { mark, reserved: ['tool_call'] },
} as const;

/** Tags that are the names of parameters, with a token before each; lists and objects are tags inside tags. */
export const minimaxM3 = tableDialect(
  'minimax-m3',
  {
    call: { ...call, opener: marked('<invoke name="') },
    also: [
      // The tags of M2 are whole without the token.
      {
        form: 'tags',
        opener: '<invoke name="',
        end: '">',
        closer: '</invoke>',
        parameter: { opener: '<parameter name="', end: '">', closer: '</parameter>' },
      },
      // Where a server strips special tokens, only declared names are tags.
      {
        form: 'named-tags',
        opener: '<invoke name="',
        end: '">',
        closer: '</invoke>',
        padded: false,
        repair: 'tokens',
      },
      // The token is missing before the call alone.
      { ...call, opener: '<invoke name="', repair: 'tokens' },
    ],
    section: {
      opener: [
        ...marked('<tool_call>', '\n'),
        { text: '<tool_call>', repair: 'tokens' },
        '<minimax:tool_call>',
        '<function_calls>',
      ],
      closer: [
        `\n${mark}</tool_call>`,
        ...marked('</tool_call>'),
        { text: '</tool_call>', repair: 'tokens' },
        '</minimax:tool_call>',
        '</function_calls>',
      ],
    },
    reasoning: { opener: '<mm:think>', closer: '</mm:think>' },
    result: { opener: '<response>', closer: '</response>' },
    turnEnds: ['[e~['],
    // A reply without thinking begins with the closer.
    silent: [{ text: '</mm:think>' }, { text: mark }],
    markers: minimaxMarkers,
    lesson: {
      tools: minimaxTools,
      form: `To call tools, write a block of this form, in which the name of each parameter is a tag:\n\n{example}`,
      rules: [
        `All calls of a reply are in one block, each in its own invoke. ${mark} comes before every tag.`,
        'Write strings as they are, without quotes and without escaping; white space counts. Write numbers and booleans as JSON.',
        `Write objects as tags inside tags, and each element of an array as ${mark}<item>value${mark}</item>.`,
      ],
    },
  },
  { tags, 'named-tags': namedTags, sections, markerRepairs, reasoning },
);
