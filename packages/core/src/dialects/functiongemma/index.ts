import { gemma } from '../forms/gemma.ts';
import { gemmaLiterals } from '../readers/gemma.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Calls in a literal syntax of their own, with a token for quotation marks. */
export const functiongemma = tableDialect(
  'functiongemma',
  {
    call: {
      form: 'gemma',
      opener: '<start_function_call>',
      closer: '<end_function_call>',
      quote: '<escape>',
      between: '',
    },
    result: {
      opener: '<start_function_response>response:{name}',
      closer: '<end_function_response>',
      between: '',
      read: ['<start_function_response>'],
    },
    turnEnds: ['<end_of_turn>'],
    readers: ['gemma-literals'],
    lesson: {
      intro: 'You are a model that can do function calling with the following functions:',
      tools: {
        opener: '',
        closer: '',
        each: { opener: '<start_function_declaration>declaration:', closer: '<end_function_declaration>' },
        tool: 'gemma-literals',
      },
      form: 'To call a function, write its name and its arguments between two markers:\n\n<start_function_call>call:TOOL_NAME{PARAMETER:<escape>VALUE<escape>,PARAMETER:1}<end_function_call>',
      rules: ['{values}'],
    },
    markers: ['<start_function_declaration>'],
  },
  { gemma, readers: { 'gemma-literals': gemmaLiterals } },
);
