import { header } from '../forms/header.ts';
import { plamoHeader } from '../readers/plamo3.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** The token that begins or ends a part of a message. */
function token(place: 'begin' | 'end', part: string): string {
  return `<|plamo:${place}_${part}:plamo|>`;
}

function between(part: string, text: string): string {
  return token('begin', part) + text + token('end', part);
}

/** Every part of a call is between two tokens of its own. */
export const plamo3 = tableDialect(
  'plamo3',
  {
    call: {
      form: 'header',
      opener: token('begin', 'tool_name'),
      reader: 'plamo3',
      separator: '<|plamo:msg|>',
      closer: token('end', 'tool_arguments'),
      block: { opener: token('begin', 'tool_request'), closer: token('end', 'tool_request') },
      between: '',
      written: between(
        'tool_request',
        between('tool_name', '{name}') + between('tool_arguments', '<|plamo:constrain|>json<|plamo:msg|>{arguments}'),
      ),
    },
    section: { opener: token('begin', 'tool_requests'), closer: token('end', 'tool_requests'), nested: true },
    reasoning: { opener: token('begin', 'think'), closer: token('end', 'think') },
    // No frame of the model's own is published.
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    // A turn ends with the token that comes before the next one.
    otherTurns: ['<|plamo:tag|>'],
    turnEnds: ['<|plamo:tag|>'],
    markers: [token('end', 'tool_name'), token('begin', 'tool_arguments'), '<|plamo:constrain|>', '<|plamo:msg|>'],
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, end your reply with one block that holds a request for each call:\n\n{example}',
      rules: ['The arguments are a valid JSON object.'],
    },
  },
  { header, sections, reasoning, readers: { plamo3: plamoHeader } },
);
