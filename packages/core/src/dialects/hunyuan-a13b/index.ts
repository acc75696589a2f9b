import { json } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list of calls between markers in the plural; answers come after a label or in tags. */
export const hunyuanA13b = tableDialect(
  'hunyuan-a13b',
  {
    call: {
      form: 'json',
      opener: ['<tool_calls>', '<tool_call>'],
      closer: ['</tool_calls>', '</tool_call>'],
      grouping: 'list',
    },
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    otherTurns: ['<tool_responses>', '<|eos|>用户：'],
    turnEnds: ['<|eos|>'],
    silent: ['<answer>', '</answer>'],
    labels: ['助手：', '助手:'],
    markers: ['</tool_responses>', '<|startoftext|>', '<|extra_0|>', '<|extra_4|>'],
    plainMarkup: true,
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, write one JSON list of all calls between <tool_calls> and </tool_calls>:\n\n{example}',
      rules: ['Every reply has at most one list, and it is valid JSON.'],
    },
  },
  { json, markerRepairs },
);
