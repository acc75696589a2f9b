import { deepseekAround, deepseekTools, plainCalls, typedCalls, untypedCalls } from '../families/deepseek.ts';
import { header } from '../forms/header.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A type word, the name and a fence with JSON between full-width tokens. */
export const deepseekV3 = tableDialect(
  'deepseek-v3',
  {
    ...deepseekAround,
    call: typedCalls,
    also: [plainCalls, untypedCalls],
    result: {
      around: { opener: '<｜tool▁outputs▁begin｜>', closer: '<｜tool▁outputs▁end｜>' },
      opener: '<｜tool▁output▁begin｜>',
      closer: '<｜tool▁output▁end｜>',
    },
    lesson: {
      intro: 'You can call the tools below. Each is described with the JSON Schema of its parameters.',
      tools: deepseekTools,
      form: 'To call tools, end your reply with one section that holds every call:\n\n{example}',
      rules: ['Every call is between its own markers, and the arguments are a valid JSON object in a fence.'],
    },
  },
  { header, sections, markerRepairs },
);
