import { llamaMarkers, llamaResult, llamaTools, llamaTurnEnds } from '../families/llama.ts';
import { anyJson } from '../forms/json.ts';
import { python } from '../forms/python.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A Python list of calls. */
export const pythonic = tableDialect(
  'pythonic',
  {
    call: {
      form: 'python',
      opener: ['', '<|python_start|>'],
      closer: ['', '<|python_end|>'],
      grouping: 'list',
    },
    // Llama 4 answers in JSON, too, also when Python was asked for.
    also: [{ form: 'json', opener: ['<|python_tag|>', ''], closer: '', keys: { arguments: 'parameters' } }],
    result: llamaResult,
    turnEnds: llamaTurnEnds,
    markers: llamaMarkers,
    lesson: {
      ...llamaTools,
      form: 'To call tools, write one Python list of calls with keyword arguments on a line of its own:\n\n[TOOL_NAME(PARAMETER="VALUE", PARAMETER=1)]',
      rules: ['{values}'],
    },
  },
  { python, json: anyJson },
);
