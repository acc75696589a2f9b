import { json } from '../forms/json.ts';
import { python } from '../forms/python.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Python calls between tags, one on each line. */
export const olmo3 = tableDialect(
  'olmo3',
  {
    call: {
      form: 'python',
      opener: '<function_calls>',
      closer: '</function_calls>',
      grouping: 'sequence',
      between: '\n',
    },
    // JSON although Python was taught.
    also: [{ form: 'json', opener: '<function_calls>', closer: '</function_calls>', repair: 'json' }],
    // The model's own frame, a turn of the role `environment`, is not ours to open.
    result: {
      opener: '<function_results>',
      closer: '</function_results>',
      json: { name: '{name}', content: '{text}' },
    },
    otherTurns: ['<|im_start|>environment'],
    turnEnds: ['<|im_end|>', '<|endoftext|>'],
    markers: ['<functions>', '</functions>'],
    lesson: {
      intro:
        'You can call the functions in this JSON list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '<functions>[', between: ', ', closer: ']</functions>' },
      form: 'To call functions, write them between two tags, one Python call with keyword arguments on each line:\n\n<function_calls>TOOL_NAME(PARAMETER="VALUE", PARAMETER=1)</function_calls>',
      rules: ['Values are JSON or Python literals. All calls of a reply are between one pair of tags.'],
    },
  },
  { python, json, markerRepairs },
);
