import { defineDialect } from '../kit/define-dialect.ts';
import { jsonCalls } from '../kit/json-call.ts';
import { spellings } from '../kit/spellings.ts';
import * as prompt from './prompt.ts';

/** A JSON list behind one marker, without a closer. */
export const granite = defineDialect({
  id: 'granite',
  summary: '`<|tool_call|>[{"name":…,"arguments":{…}}]`: Granite 3.0 to 3.3, Granite 20B function calling',
  prompt,
  grammar: {
    calls: [jsonCalls({ openers: ['<|tool_call|>', '<tool_call>', '<function_call>'], closers: [], sequence: ',' })],
    // Nothing closes a call; models that know other forms close it anyway.
    sections: { openers: [], closers: ['</tool_call>', '<|/tool_call|>', '</function_call>'] },
    // Granite 3.2, when it is asked to think.
    headed: ['Here is my', "Here's my"].flatMap((begin) =>
      ['Here is my', "Here's my"].map((end) => [`${begin} thought process:`, `${end} response:`] as const),
    ),
    results: [
      '<tool_response>',
      // Granite 20B function calling.
      '<function_response>',
      ...spellings(['<|endoftext|>'], ['\n', ''], ['USER:']),
    ],
    turnEnds: ['<|end_of_text|>', '<|endoftext|>'],
  },
});
