import { mistralAround, mistralHeader, mistralList } from '../families/mistral.ts';
import { header } from '../forms/header.ts';
import { anyJson } from '../forms/json.ts';
import { mistralIds } from '../readers/mistral.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A marker and a name before each call's JSON arguments, without a closer. */
export const mistralArgs = tableDialect(
  'mistral-args',
  {
    ...mistralAround,
    call: mistralHeader,
    also: [mistralList],
    result: { opener: '[TOOL_RESULTS]{id}[TOOL_CONTENT]', closer: '[/TOOL_RESULTS]', between: '' },
    lesson: {
      intro: 'You can call the tools in this JSON list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '[AVAILABLE_TOOLS][', between: ', ', closer: '][/AVAILABLE_TOOLS]' },
      form: "To call a tool, end your reply with a marker, the tool's name, another marker and the arguments as JSON:\n\n{example}",
      rules: ['Every call begins with [TOOL_CALLS] again. The arguments are a valid JSON object.'],
    },
  },
  { header, json: anyJson, sections, reasoning, readers: { 'mistral-ids': mistralIds } },
);
