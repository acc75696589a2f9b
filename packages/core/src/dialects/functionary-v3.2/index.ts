import { typeDeclaration } from '../families/common.ts';
import { llamaMarkers, llamaResult } from '../families/llama.ts';
import { header } from '../forms/header.ts';
import { functionaryHeader } from '../readers/functionary.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A recipient on a line, then text or JSON arguments for it. */
export const functionaryV32 = tableDialect(
  'functionary-v3.2',
  {
    call: {
      form: 'header',
      opener: '>>>',
      reader: 'functionary',
      separator: [{ text: '\n' }],
      closer: '',
      between: '',
    },
    labels: [{ text: 'all\n' }, { text: 'all\r\n' }],
    result: llamaResult,
    turnEnds: ['<|eot_id|>', '<|eom_id|>'],
    markers: llamaMarkers,
    readers: ['functionary'],
    lesson: {
      intro: 'You can call the functions below. The type of each is the JSON Schema of its arguments.',
      tools: { opener: '', between: '\n\n', closer: '', tool: typeDeclaration },
      form: "Write every part of your reply under its recipient: text under all, the arguments of a call as JSON under the function's name:\n\n>>>all\nTEXT\n{example}",
      rules: ['The arguments are a valid JSON object.'],
    },
  },
  { header, readers: { functionary: functionaryHeader } },
);
