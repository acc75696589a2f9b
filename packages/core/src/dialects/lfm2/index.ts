import { json } from '../forms/json.ts';
import { python } from '../forms/python.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A Python list of calls between tokens. */
export const lfm2 = tableDialect(
  'lfm2',
  {
    call: {
      form: 'python',
      // Servers that skip special tokens leave the bare list.
      opener: ['<|tool_call_start|>', { text: '', repair: 'tokens' }],
      closer: '<|tool_call_end|>',
      grouping: 'list',
    },
    // What the models write where a prompt asks them for JSON.
    also: [{ form: 'json', opener: '<|tool_call_start|>', closer: '<|tool_call_end|>', repair: 'json' }],
    result: { opener: '<|tool_response_start|>', closer: '<|tool_response_end|>' },
    turnEnds: ['<|im_end|>'],
    markers: ['<|tool_list_start|>', '<|tool_list_end|>'],
    lesson: {
      intro: 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: 'List of tools: <|tool_list_start|>[', between: ', ', closer: ']<|tool_list_end|>' },
      form: 'To call tools, write one Python list of calls with keyword arguments between two tokens:\n\n<|tool_call_start|>[TOOL_NAME(PARAMETER="VALUE", PARAMETER=1)]<|tool_call_end|>',
      rules: ['{values}'],
    },
  },
  { python, json, markerRepairs },
);
