import { mistralAround, mistralHeader, mistralList } from '../families/mistral.ts';
import { header } from '../forms/header.ts';
import { anyJson } from '../forms/json.ts';
import { mistralIds } from '../readers/mistral.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list after one marker, without a closer. */
export const mistralJson = tableDialect(
  'mistral-json',
  {
    ...mistralAround,
    call: mistralList,
    also: [{ ...mistralHeader, first: true }],
    result: {
      opener: '[TOOL_RESULTS] ',
      closer: '[/TOOL_RESULTS]',
      between: '',
      json: { content: '{text}', call_id: '{id}' },
    },
    lesson: {
      intro: 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '[AVAILABLE_TOOLS] [', between: ', ', closer: '][/AVAILABLE_TOOLS]' },
      form: 'To call tools, end your reply with the marker [TOOL_CALLS] and one JSON list of all calls:\n\n[TOOL_CALLS] [{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}, "id": "ID"}]',
      rules: ['ID is made of nine letters and digits and different for every call. The list is valid JSON.'],
    },
  },
  { header, json: anyJson, sections, reasoning, readers: { 'mistral-ids': mistralIds } },
);
