import { turnMarkers } from '../../chat/turn-markers.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import type { ResultTable } from '../table.ts';

/** What the templates of Llama 3 and 4 are made of. */
export const llamaMarkers: readonly string[] = [
  '<|python_tag|>',
  '<|python_start|>',
  '<|python_end|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|header_start|>',
  '<|header_end|>',
  '<|begin_of_text|>',
  ...turnMarkers,
];

/** A line of JSON for each result, as JSON and Python print it: only we may write one. */
export const llamaResult: ResultTable = {
  opener: '',
  closer: '',
  json: { tool: '{name}', output: '{text}' },
  read: [':', ': ']
    .flatMap((colon) => spellings([`{"tool"${colon}{quoted}`], [',', ', '], [`"output"${colon}`]))
    .map((text) => ({ text })),
};

export const llamaTurnEnds: readonly string[] = ['<|eot_id|>', '<|eom_id|>', '<|eot|>'];

/** Both lessons begin with the tools. */
export const llamaTools = {
  intro: 'You can call the tools below, each described as JSON with the JSON Schema of its parameters:',
  tools: { opener: '', between: '\n\n', closer: '' },
};
