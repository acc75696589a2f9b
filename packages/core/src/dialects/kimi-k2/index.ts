import { header } from '../forms/header.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Sections of calls with the model's own ids before JSON arguments. */
export const kimiK2 = tableDialect(
  'kimi-k2',
  {
    call: {
      form: 'header',
      opener: [
        '<|tool_call_begin|>',
        // Where a call's own opener is missing, the section's comes before its header.
        { text: '<|tool_calls_section_begin|>', repair: 'opener' },
        { text: '<|tool_call_section_begin|>', repair: 'opener' },
      ],
      header: 'functions.{name}:{index}',
      separator: '<|tool_call_argument_begin|>',
      closer: '<|tool_call_end|>',
      between: '',
    },
    // Some builds write the section in the singular.
    section: {
      opener: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
      closer: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    },
    result: { opener: '## Return of {id}\n', closer: '', between: '\n\n' },
    // The template's turn of a tool's result begins with its role.
    otherTurns: ['<|im_system|>', '<|im_user|>'],
    turnEnds: ['<|im_end|>'],
    markers: ['<|tool_call_argument_begin|>', '[BOS]', '[EOS]'],
    lesson: {
      intro:
        'You can call the tools in this list, tool_declare, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, end your reply with one section that holds every call:\n\n<|tool_calls_section_begin|><|tool_call_begin|>functions.TOOL_NAME:INDEX<|tool_call_argument_begin|>{"PARAMETER": "VALUE"}<|tool_call_end|><|tool_calls_section_end|>',
      rules: [
        'INDEX counts the calls of the whole conversation, from 0. The arguments are a valid JSON object.',
        'Each result comes under the heading "## Return of" with the id of its call, functions.TOOL_NAME:INDEX.',
      ],
    },
  },
  { header, sections, markerRepairs },
);
