import { callPolicyWords, defaultCallPolicy } from '@dragoman/core';
import { z } from 'zod';

/** What a model rule may decide of calls; each field is documented at `CallPolicy` in core. */
export const policySchema = z
  .strictObject({
    reasoning: z
      .enum(callPolicyWords.reasoning)
      .default(defaultCallPolicy.reasoning)
      .describe(
        'Whole calls in reasoning, when a reply ends well without any other call: not run and not reported; not run, but reported where the reply holds no answer either; or run.',
      ),
    fences: z
      .enum(callPolicyWords.fences)
      .default(defaultCallPolicy.fences)
      .describe(
        'Call syntax that is shown, in code fences and code spans, indented code, quotations, `<pre>` and `<code>`, or HTML comments: stays text, or fires.',
      ),
    undeclared: z
      .enum(callPolicyWords.undeclared)
      .default(defaultCallPolicy.undeclared)
      .describe(
        'Calls to tools that the client did not declare: are passed on for the client to answer, stay text, or are left out with a warning.',
      ),
    names: z
      .enum(callPolicyWords.names)
      .exactOptional()
      .describe(
        'How far a tool name may differ from the declared one: not at all; in letter case, `-` and `_` or a `functions.` prefix; or also in one or two letters. Default: `normalised`, with `cline-xml` `exact`.',
      ),
    entities: z
      .enum(callPolicyWords.entities)
      .default(defaultCallPolicy.entities)
      .describe(
        'Character references such as `&lt;` in strings that a model writes as text between tags: stay as they are, or are decoded once in values without a raw `<`, `>` or bare `&`.',
      ),
    textAfterCalls: z
      .enum(callPolicyWords.textAfterCalls)
      .default(defaultCallPolicy.textAfterCalls)
      .describe('Text that the model writes after a call: delivered, or left out with a warning.'),
    maxCalls: z
      .int()
      .min(1)
      .exactOptional()
      .describe('The most calls in a reply, for a client that allows any number.'),
    surplus: z
      .enum(callPolicyWords.surplus)
      .default(defaultCallPolicy.surplus)
      .describe(
        'Calls in text beyond what `maxCalls` or the client allows, all of them with `tool_choice` `none`, and those of other tools than the one that `tool_choice` names: stay text, or are left out with a warning. Native ones are always left out with a warning.',
      ),
  })
  .describe('What counts as a call, and what becomes of what does not; see docs/policies.md.');
