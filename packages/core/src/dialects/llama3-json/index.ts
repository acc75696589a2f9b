import { llamaMarkers, llamaResult, llamaTools, llamaTurnEnds } from '../families/llama.ts';
import { anyJson } from '../forms/json.ts';
import { python } from '../forms/python.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** JSON objects without any marker. */
export const llama3Json = tableDialect(
  'llama3-json',
  {
    call: {
      form: 'json',
      opener: ['', '<|python_tag|>'],
      closer: '',
      keys: { arguments: 'parameters' },
      between: '; ',
    },
    also: [
      // The form that was trained for built-in tools.
      { form: 'python', opener: '<|python_tag|>', closer: '', suffix: '.call' },
      // Llama 4 answers in Python, too.
      { form: 'python', opener: ['<|python_start|>', ''], closer: '<|python_end|>' },
    ],
    result: llamaResult,
    turnEnds: llamaTurnEnds,
    markers: llamaMarkers,
    lesson: {
      ...llamaTools,
      form: 'To call a tool, write a JSON object with its name and its parameters on a line of its own:\n\n{example}',
      rules: ['Every call stands on a line of its own, without a code fence. It is valid JSON.'],
    },
  },
  { json: anyJson, python },
);
