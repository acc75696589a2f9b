import { anyJson } from '../forms/json.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { tableDialect } from '../table/table-dialect.ts';

const spaces = [' ', '\t', '\n', '\r'];

/** A JSON list after a word, between tokens, or without either. */
export const phi4Mini = tableDialect(
  'phi4-mini',
  {
    // Servers take the tokens away, so the word is what is taught.
    call: {
      form: 'json',
      opener: '<|tool_call|>',
      closer: '<|/tool_call|>',
      grouping: 'list',
      written: 'functools{body}',
    },
    also: [
      // A server's template shows past calls as bare objects, so models write them so. The word has a bracket after it.
      { form: 'json', opener: [{ text: 'functools' }, ''], closer: '' },
    ],
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    otherTurns: ['<|tool_response|>', '<|tool|>', '<|tools|>', '<|user|>'],
    turnEnds: ['<|end|>', '<|endoftext|>'],
    markers: [
      '<|/tool|>',
      '<|/tool_response|>',
      // The word alone is a module of Python; white space may come after it.
      ...spellings(['functools'], ['', ...spaces, ...spellings(spaces, spaces)], ['[', '{']),
    ],
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, write the word functools and after it one JSON list of all calls:\n\n{example}',
      rules: ['Every reply has at most one list, and it is valid JSON.'],
    },
  },
  { json: anyJson },
);
