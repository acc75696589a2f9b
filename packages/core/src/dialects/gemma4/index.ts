import { defineDialect } from '../kit/define-dialect.ts';
import { literalCalls } from '../kit/literal-call.ts';
import { gemma } from '../kit/literal-syntax.ts';
import { spellings } from '../kit/spellings.ts';
import * as prompt from './prompt.ts';

/** Calls in a literal syntax of their own, with a token for quotation marks. */
export const gemma4 = defineDialect({
  id: 'gemma4',
  summary: '`<|tool_call>call:NAME{key:<|"|>value<|"|>}<tool_call|>`: Gemma 4',
  prompt,
  grammar: {
    calls: [literalCalls({ syntax: gemma('<|"|>'), openers: ['<|tool_call>'], closers: ['<tool_call|>'] })],
    // The token, or the whole opener, comes twice from some.
    reasoning: spellings(['<|channel>'], ['', '<|channel>', 'thought\n<|channel>'], ['thought'], ['\n', '']).map(
      (opener) => [opener, '<channel|>'],
    ),
    results: ['<|tool_response>'],
    turnEnds: ['<turn|>', '<end_of_turn>'],
  },
});
