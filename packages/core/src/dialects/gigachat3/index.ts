import { functionNamespace } from '../families/common.ts';
import { anyJson } from '../forms/json.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A call is a message of its own, whose header names a role; 3.1 has one token for it. */
export const gigachat3 = tableDialect(
  'gigachat3',
  {
    call: {
      form: 'json',
      opener: ['function call<|role_sep|>\n', '<|function_call|>'],
      closer: ['', '<|message_sep|>'],
      closerOptional: true,
      between: '',
      written: '<|message_sep|>\n\n{call}',
    },
    also: [
      // Servers that leave out tokens leave the role's name: words of prose, so what follows has to be a declared call.
      {
        form: 'json',
        opener: [{ text: 'function call', place: 'line-start' }],
        closer: '',
        guarded: true,
        repair: 'tokens',
      },
    ],
    result: { opener: 'function result<|role_sep|>\n', closer: '<|message_sep|>', between: '\n\n' },
    otherTurns: ['user<|role_sep|>'],
    turnEnds: ['<|message_sep|>', '</s>'],
    silent: [{ text: 'assistant<|role_sep|>\n' }, 'assistant<|role_sep|>'],
    markers: [
      '<|role_sep|>',
      ...['function call', 'function result', 'assistant', 'user'].map((role) => `${role}<|role_sep|>`),
    ],
    lesson: {
      intro: 'You can call the functions of this namespace. The type of each is the JSON Schema of its arguments.',
      tools: functionNamespace,
      form: 'To call a function, end your message and write another one under the role `function call`, with the name and the arguments as JSON:\n\n{example}',
      rules: ['Every call is a message of its own, and its JSON is valid.'],
    },
  },
  { json: anyJson, markerRepairs },
);
