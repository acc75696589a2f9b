import { typeDeclaration } from '../families/common.ts';
import { anyJson } from '../forms/json.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list whose objects have a tool's name as their one key. */
export const apertus = tableDialect(
  'apertus',
  {
    call: { form: 'json', opener: '<|tools_prefix|>', closer: '<|tools_suffix|>', grouping: 'list', keyed: true },
    reasoning: { opener: '<|inner_prefix|>', closer: '<|inner_suffix|>' },
    // Apertus of 2509 is told what its tools return as a list in the same turn, later ones between tokens.
    result: {
      around: { opener: '[', closer: ']' },
      opener: '',
      closer: '',
      between: ',',
      json: '{text}',
      read: [{ text: '[', afterCall: true }, '<|tool_output_start|>'],
    },
    otherTurns: ['<|user_start|>'],
    turnEnds: ['<|assistant_end|>'],
    markers: [
      '<|tool_output_start|>',
      '<|tool_output_end|>',
      '<|system_start|>',
      '<|system_end|>',
      '<|developer_start|>',
      '<|developer_end|>',
      '<|user_end|>',
      '<|assistant_start|>',
    ],
    lesson: {
      intro: 'You can call the tools below. The type of each is the JSON Schema of its arguments.',
      tools: { opener: '', between: '\n\n', closer: '', tool: typeDeclaration },
      form: "To call tools, write one JSON list of all calls, each an object whose one key is the tool's name:\n\n{example}",
      rules: ['The list is valid JSON.', 'The results come as a JSON list in the order of the calls.'],
    },
  },
  { json: anyJson, reasoning },
);
