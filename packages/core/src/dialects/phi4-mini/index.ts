import { defineDialect } from '../kit/define-dialect.ts';
import { jsonCalls } from '../kit/json-call.ts';
import * as prompt from './prompt.ts';

/** A JSON list behind a word, between tokens, or without either. */
export const phi4Mini = defineDialect({
  id: 'phi4-mini',
  summary: '`functools[{"name":…,"arguments":{…}}]`, also between `<|tool_call|>` tokens: Phi-4-mini, FireFunction',
  prompt,
  grammar: ({ tools }) => ({
    calls: [
      jsonCalls({ openers: ['<|tool_call|>'], closers: ['<|/tool_call|>'], sequence: ',' }),
      // A server's template shows past calls as bare objects, so models write them so.
      jsonCalls({
        openers: ['functools'],
        closers: [],
        sequence: ',',
        // More of it could not be escaped in what users and tools write.
        longestGap: 2,
        bare: tools.map(({ name }) => name),
      }),
    ],
    results: ['<tool_response>', ...['tool_response', 'tool', 'tools', 'user'].map((role) => `<|${role}|>`)],
    turnEnds: ['<|end|>', '<|endoftext|>'],
  }),
});
