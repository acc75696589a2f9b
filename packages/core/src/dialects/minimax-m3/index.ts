import type { ToolDefinition } from '../../chat/tool.ts';
import { defineDialect } from '../kit/define-dialect.ts';
import { namedTagCalls } from '../kit/named-tag-call.ts';
import { bareName, nameAttribute } from '../kit/tag-header.ts';
import { taggedCalls } from '../kit/tagged-call.ts';
import * as prompt from './prompt.ts';
import { mark, marked } from './tags.ts';

const own = taggedCalls({
  calls: [{ openers: marked('<invoke'), header: nameAttribute }],
  callClosers: marked('</invoke>'),
  parameters: [{ openers: marked('<'), header: bareName({ ends: ['>'] }) }],
  parameterClosers: (name) => marked(`</${name}>`),
  nestedMark: mark,
});

const formOfM2 = taggedCalls({
  calls: [{ openers: ['<invoke'], header: nameAttribute }],
  callClosers: ['</invoke>'],
  parameters: [{ openers: ['<parameter'], header: nameAttribute }],
  parameterClosers: ['</parameter>'],
});

/** What a server leaves that strips special tokens: then only declared names are tags. */
const stripped = (tools: readonly ToolDefinition[]) =>
  namedTagCalls(tools, { tagOf: (name) => name, fold: false, callTag: 'invoke', padded: false });

/** Tags that are the names of parameters, with a token in front of each; lists and objects are tags inside tags. */
export const minimaxM3 = defineDialect({
  id: 'minimax-m3',
  summary: '`]<]minimax[>[<invoke name="…">]<]minimax[>[<KEY>…]<]minimax[>[</KEY>…`: MiniMax M3',
  prompt,
  grammar: ({ tools }) => ({
    calls: [own, formOfM2, stripped(tools)],
    sections: {
      openers: [...marked('<tool_call>'), '<tool_call>', '<minimax:tool_call>'],
      closers: [...marked('</tool_call>'), '</tool_call>', '</minimax:tool_call>'],
    },
    reasoning: [['<mm:think>', '</mm:think>']],
    results: [']~b]tool'],
    turnEnds: ['[e~['],
    // A reply without thinking begins with the closer.
    silent: ['</mm:think>', mark],
  }),
});
