import { deepseekAround, deepseekTools, plainCalls, typedCalls, untypedCalls } from '../families/deepseek.ts';
import { header } from '../forms/header.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A name, a separator and JSON between full-width tokens. */
export const deepseekV31 = tableDialect(
  'deepseek-v3.1',
  {
    ...deepseekAround,
    call: plainCalls,
    also: [{ ...typedCalls, first: true }, untypedCalls],
    result: { opener: '<｜tool▁output▁begin｜>', closer: '<｜tool▁output▁end｜>', between: '' },
    lesson: {
      intro: 'You can call the tools below. Each is described with the JSON Schema of its parameters.',
      tools: deepseekTools,
      form: 'To call tools, end your reply with one section that holds every call:\n\n{example}',
      rules: ['Every call is between its own markers, and the arguments are a valid JSON object.'],
    },
  },
  { header, sections, markerRepairs },
);
