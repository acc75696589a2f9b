import type { ToolDefinition } from '../../chat/tool.ts';
import { mends } from '../kit/call-issues.ts';
import type { GrammarForm } from '../kit/create-grammar.ts';
import { defineDialect } from '../kit/define-dialect.ts';
import { invokeCalls } from '../kit/invoke-call.ts';
import { mendedCalls } from '../kit/mended-calls.ts';
import { namedTagCalls } from '../kit/named-tag-call.ts';
import type { CallTag } from '../kit/named-tag-tools.ts';
import { rememberedFor } from '../kit/remembered.ts';
import { bareName, nameAttribute } from '../kit/tag-header.ts';
import { taggedCalls } from '../kit/tagged-call.ts';
import type { TaggedForm } from '../kit/tagged-form.ts';
import * as prompt from './prompt.ts';
import { mark, marked } from './tags.ts';

const openedBy = (openers: readonly string[]): TaggedForm => ({
  calls: [{ openers, header: nameAttribute }],
  callClosers: marked('</invoke>'),
  parameters: [{ openers: marked('<'), header: bareName({ ends: ['>'] }) }],
  parameterClosers: (name) => marked(`</${name}>`),
  nestedMark: mark,
});

const own = taggedCalls(openedBy(marked('<invoke')));
/** The token is missing in front of the call alone. */
const unmarked = taggedCalls(openedBy(['<invoke']));

const invokeTag: CallTag = {
  opener: '<invoke',
  header: nameAttribute,
  headerOf: (tool) => ` name="${tool}">`,
  closer: '</invoke>',
};

/** The tables for some tools. Where a server strips special tokens, only declared names are tags. */
const formFor = rememberedFor((tools: readonly ToolDefinition[]): GrammarForm => {
  const stripped = namedTagCalls(tools, { tagOf: (name) => name, fold: false, callTag: invokeTag, padded: false });
  return {
    // The tags of M2 are whole without the token.
    calls: [own, invokeCalls(), ...[stripped, unmarked].map((kernel) => mendedCalls(kernel, () => mends.tokens))],
    sections: {
      openers: [...marked('<tool_call>'), '<tool_call>', '<minimax:tool_call>', '<function_calls>'],
      closers: [...marked('</tool_call>'), '</tool_call>', '</minimax:tool_call>', '</function_calls>'],
    },
    reasoning: [['<mm:think>', '</mm:think>']],
    results: ['<response>'],
    turnEnds: ['[e~['],
    // A reply without thinking begins with the closer.
    silent: ['</mm:think>', mark],
    mendOf: (literal) => (literal === '<tool_call>' || literal === '</tool_call>' ? mends.tokens : undefined),
  };
});

/** Tags that are the names of parameters, with a token in front of each; lists and objects are tags inside tags. */
export const minimaxM3 = defineDialect({
  id: 'minimax-m3',
  summary: '`]<]minimax[>[<invoke name="…">]<]minimax[>[<KEY>…]<]minimax[>[</KEY>…`: MiniMax M3',
  prompt,
  grammar: ({ tools }) => formFor(tools),
});
