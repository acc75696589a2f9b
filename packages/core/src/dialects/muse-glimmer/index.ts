import { tags } from '../forms/tags.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { recipients } from '../readers/muse-glimmer.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';
import type { Literal } from '../table.ts';

/** The template names recipients by tool and function, so a tool without a namespace becomes its own. */
const toRecipients = ['to=user<|message|>', 'to={name}<|message|>', 'to={name}.{name}<|message|>'];

/** Every way to write these headers: after their start, which for the first message the prompt has written. */
function headers(...bare: readonly string[]): readonly Literal[] {
  return spellings(['<|start|>assistant ', '<|start|>assistant', ''], bare).map((text) => ({ text }));
}

/** Messages whose recipient says what they are: thinking, an answer, or calls in prefixed tags. */
export const museGlimmer = tableDialect(
  'muse-glimmer',
  {
    call: {
      form: 'tags',
      opener: '<atem:invoke name="',
      end: '">\n',
      closer: '</atem:invoke>',
      parameter: { opener: '<atem:parameter name="', end: '">', closer: '</atem:parameter>\n' },
      block: { opener: '<atem:function_calls>', closer: '</atem:function_calls>' },
      between: '<|eom|>',
      written: '<|start|>assistant to={name}<|message|><atem:function_calls>\n{call}\n</atem:function_calls>',
    },
    // Thinking that is not closed ends where the next message begins, also where that has no start of its own.
    reasoning: {
      opener: headers('to=self<|message|>'),
      closer: '<|eom|>',
      until: ['<|start|>', ...toRecipients],
    },
    // What is in the message of a tool, and where a prompt is one text, without it.
    result: {
      opener: '<tool_output name={quoted}>\n',
      closer: '\n</tool_output>',
      read: [{ text: '<tool_output name=' }],
    },
    otherTurns: ['<|start|>tool', '<|start|>user', '<|start|>system'],
    turnEnds: ['<|eot|>', '<|end_of_text|>'],
    silent: [
      { text: '<|eom|>' },
      ...headers(...toRecipients),
      // Messages of the model to nobody in particular, which are for the user.
      { text: '<|start|>assistant<|message|>' },
      { text: '<|start|><|message|>' },
    ],
    markers: ['<|start|>', '<|message|>', 'to=self<|message|>', 'to=user<|message|>', '<tool_output'],
    readers: ['recipients'],
    lesson: {
      intro:
        'You can call the tools below. Each line describes one tool as JSON, with the JSON Schema of its parameters.',
      tools: { opener: '', closer: '', tool: 'fields' },
      form: 'To call a tool, write a message to it with a block of this form:\n\n{example}',
      rules: [
        'Every call is a message of its own. Valid recipients are self for your thinking, the tools, and user for your answer.',
        '{values}',
      ],
    },
  },
  { tags, sections, reasoning, readers: { recipients } },
);
