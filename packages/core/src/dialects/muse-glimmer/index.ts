import type { ToolDefinition } from '../../chat/tool.ts';
import type { GrammarForm } from '../kit/create-grammar.ts';
import { defineDialect } from '../kit/define-dialect.ts';
import { rememberedFor } from '../kit/remembered.ts';
import { nameAttribute } from '../kit/tag-header.ts';
import { taggedCalls } from '../kit/tagged-call.ts';
import { bareHeader, headers, messageEnd, otherMessages, toolHeader, toolOutput, withoutRecipient } from './headers.ts';
import * as prompt from './prompt.ts';

const tags = taggedCalls({
  calls: [{ openers: ['<atem:invoke'], header: nameAttribute }],
  callClosers: ['</atem:invoke>'],
  parameters: [{ openers: ['<atem:parameter'], header: nameAttribute }],
  parameterClosers: ['</atem:parameter>'],
});

/** The tables for some tools. The header of a message to any other tool counts in front of a call. */
const formFor = rememberedFor((tools: readonly ToolDefinition[]): GrammarForm => {
  // The template names recipients by tool and function, so a tool without a namespace becomes its own.
  const recipients = ['user', ...tools.flatMap(({ name }) => [name, `${name}.${name}`])];
  // Thinking that is not closed ends where the next message begins, also where that has no start of its own.
  const next = ['<|start|>', ...recipients.map(bareHeader)];
  return {
    calls: [tags],
    sections: { openers: ['<atem:function_calls>'], closers: ['</atem:function_calls>'], named: toolHeader },
    reasoning: headers(['self']).map((header) => [header, messageEnd, next] as const),
    results: [...otherMessages, toolOutput],
    turnEnds: ['<|eot|>', '<|end_of_text|>'],
    silent: [messageEnd, ...headers(recipients), ...withoutRecipient],
    toUser: headers(['user']),
  };
});

/** Messages whose recipient says what they are: thinking, an answer, or calls in prefixed tags. */
export const museGlimmer = defineDialect({
  id: 'muse-glimmer',
  summary: '`to=NAME<|message|><atem:invoke name="…"><atem:parameter name="…">…`: Muse Glimmer',
  prompt,
  grammar: ({ tools }) => formFor(tools),
});
