import { json } from '../forms/json.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list after one marker, without a closer. */
export const granite = tableDialect(
  'granite',
  {
    call: { form: 'json', opener: ['<|tool_call|>', '<tool_call>', '<function_call>'], closer: '', grouping: 'list' },
    // Nothing closes a call; models that know other forms close it anyway.
    strays: ['</tool_call>', '<|/tool_call|>', '</function_call>'],
    // Granite 3.2, when it is asked to think.
    reasoning: ['Here is my', "Here's my"].flatMap((begin) =>
      ['Here is my', "Here's my"].map((end) => ({
        opener: `${begin} thought process:`,
        closer: `${end} response:`,
        atStart: true,
      })),
    ),
    // The model's own frame, a turn of the role `tool_response`, is not ours to open.
    result: { opener: '<tool_response>', closer: '</tool_response>', json: { name: '{name}', content: '{text}' } },
    otherTurns: [
      // Granite 20B function calling.
      '<function_response>',
      '<|endoftext|>\nUSER:',
      '<|endoftext|>USER:',
    ],
    turnEnds: ['<|end_of_text|>', '<|endoftext|>'],
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, write <|tool_call|> and after it one JSON list of all calls:\n\n{example}',
      rules: ['The list is valid JSON, and nothing comes after it.'],
    },
  },
  { json, sections, reasoning },
);
