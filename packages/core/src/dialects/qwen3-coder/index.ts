import { mends } from '../kit/call-issues.ts';
import { defineDialect } from '../kit/define-dialect.ts';
import { functionJsonCalls } from '../kit/function-json-call.ts';
import { withNamedTags } from '../kit/function-named-tags.ts';
import { jsonCalls } from '../kit/json-call.ts';
import { mendedCalls } from '../kit/mended-calls.ts';
import { bareName, eitherHeader, nameAttribute } from '../kit/tag-header.ts';
import { taggedCalls } from '../kit/tagged-call.ts';
import * as prompt from './prompt.ts';

/** `=name>`; a second `=` where the bracket should be occurs. */
const equalsName = bareName({ ends: ['>', '='] });
/** Other spellings that have been seen: `<function name="N">`, `<function N>`. */
const spacedName = eitherHeader(nameAttribute, bareName({ ends: ['>'] }));

const callClosers = ['</function>', '</function_invocation>'];

/** Tags with the name behind `=`, values as text on lines of their own. */
export const qwen3Coder = defineDialect({
  id: 'qwen3-coder',
  summary:
    '`<tool_call><function=…><parameter=…>…</parameter></function></tool_call>`: Qwen3-Coder, Qwen3.5 and later, Nemotron 3, Step 3.5, MiMo v2',
  prompt,
  grammar: withNamedTags({
    calls: [
      // Models that know the form of Functionary write JSON in the same tag.
      functionJsonCalls(callClosers, mends.json),
      taggedCalls({
        calls: [
          { openers: ['<function='], header: equalsName },
          { openers: ['<function'], header: spacedName },
        ],
        callClosers,
        parameters: [
          { openers: ['<parameter='], header: equalsName },
          { openers: ['<parameter'], header: spacedName },
        ],
        parameterClosers: ['</parameter>'],
        padded: true,
      }),
      mendedCalls(jsonCalls({ openers: ['<tool_call>'], closers: ['</tool_call>'] }), () => mends.json),
    ],
    sections: { openers: ['<tool_call>'], closers: ['</tool_call>'] },
    results: ['<tool_response>'],
    turnEnds: ['<|im_end|>', '<|endoftext|>'],
  }),
});
