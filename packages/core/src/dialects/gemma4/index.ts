import { gemma } from '../forms/gemma.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { gemmaLiterals } from '../readers/gemma.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Calls in a literal syntax of their own, with a token for quotation marks. */
export const gemma4 = tableDialect(
  'gemma4',
  {
    call: { form: 'gemma', opener: '<|tool_call>', closer: '<tool_call|>', quote: '<|"|>', between: '' },
    // The token, or the whole opener, comes twice from some.
    reasoning: {
      opener: spellings(['<|channel>'], ['', '<|channel>', 'thought\n<|channel>'], ['thought'], ['\n', '']).map(
        (text) => ({ text }),
      ),
      closer: '<channel|>',
    },
    result: {
      opener: '<|tool_response>response:{name}',
      closer: '<tool_response|>',
      between: '',
      read: ['<|tool_response>'],
    },
    turnEnds: ['<turn|>', '<end_of_turn>'],
    markers: ['<|tool>', '<|channel>'],
    readers: ['gemma-literals'],
    lesson: {
      intro: 'You can call the tools declared here, each with its parameters:',
      tools: {
        opener: '',
        closer: '',
        each: { opener: '<|tool>declaration:', closer: '<tool|>' },
        tool: 'gemma-literals',
      },
      form: 'To call a tool, write its name and its arguments between two markers:\n\n<|tool_call>call:TOOL_NAME{PARAMETER:<|"|>VALUE<|"|>,PARAMETER:1}<tool_call|>',
      rules: ['{values}'],
    },
  },
  { gemma, reasoning, readers: { 'gemma-literals': gemmaLiterals } },
);
