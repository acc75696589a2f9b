import { anyJson } from '../forms/json.ts';
import { toolRequestForms } from '../readers/tool-request.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** JSON between two marks, and the other forms that models without training fall into. */
export const toolRequest = tableDialect(
  'tool-request',
  {
    call: {
      form: 'json',
      opener: ['[TOOL_REQUEST]', ''],
      closer: ['[END_TOOL_REQUEST]', { text: '[TOOL_REQUEST_END]', repair: 'otherCloser' }],
      fenced: true,
    },
    section: { opener: '<tool>', closer: '</tool>', optional: true },
    result: {
      opener: '[TOOL_RESULT]',
      closer: '[END_TOOL_RESULT]',
      json: { name: '{name}', content: '{text}' },
    },
    otherTurns: [{ text: 'Observation:', place: 'line-start' }],
    markers: ['Action:'],
    readers: ['tool-request'],
    lesson: {
      intro:
        'You can call the tools below. Each line describes one tool as JSON, with the JSON Schema of its parameters:',
      tools: { opener: '', closer: '' },
      form: 'To call a tool, write exactly this, with the name and the arguments as JSON:\n\n{example}',
      rules: ['Every call has its own [TOOL_REQUEST], and its JSON is valid.'],
    },
  },
  { json: anyJson, sections, markerRepairs, readers: { 'tool-request': toolRequestForms } },
);
