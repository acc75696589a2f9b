import { defineDialect } from '../kit/define-dialect.ts';
import { jsonCalls } from '../kit/json-call.ts';
import { literalCalls } from '../kit/literal-call.ts';
import { python } from '../kit/literal-syntax.ts';
import * as prompt from './prompt.ts';

/** Google's prompts declare the functions in a module of this name, which stands in front of some. */
const syntax = { ...python, prefix: 'default_api.' };
const openers = ['```tool_code', '```tool_calls', '```tool_call'];
const closers = ['```'];

/** Calls in a code fence whose word says so. */
export const gemmaFence = defineDialect({
  id: 'gemma-fence',
  summary: 'a `tool_code` fence with `NAME(key="value")`, or a `tool_call` fence with JSON: Gemma 2 and 3 by prompt',
  prompt,
  grammar: {
    // Either word stands in front of either form.
    calls: [
      literalCalls({ syntax, openers, closers, wrappers: ['print'] }),
      jsonCalls({ openers, closers, sequence: ',;' }),
    ],
    results: ['```tool_output'],
    turnEnds: ['<end_of_turn>'],
  },
});
