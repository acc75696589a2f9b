import { mends } from '../kit/call-issues.ts';
import { defineDialect } from '../kit/define-dialect.ts';
import { functionJsonCalls } from '../kit/function-json-call.ts';
import { withNamedTags } from '../kit/function-named-tags.ts';
import { jsonCalls } from '../kit/json-call.ts';
import { mendedCalls } from '../kit/mended-calls.ts';
import { withNamedResults } from '../kit/render/named-results.ts';
import { bareName, nameAttribute } from '../kit/tag-header.ts';
import { taggedCalls } from '../kit/tagged-call.ts';
import * as prompt from './prompt.ts';

const equalsName = bareName({ ends: ['>'] });
const callClosers = ['</function>'];
const openers = ['<seed:tool_call>', '<tool_call>'];
const closers = ['</seed:tool_call>', '</tool_call>'];

/** Tags with the name behind `=` in a wrapper of their own, values as they are. */
export const seedOss = defineDialect({
  id: 'seed-oss',
  summary: '`<seed:tool_call><function=…><parameter=…>…</parameter></function></seed:tool_call>`: Seed-OSS',
  prompt,
  grammar: withNamedResults(
    withNamedTags({
      calls: [
        // Models that know the form of Functionary write JSON in the same tag.
        functionJsonCalls(callClosers, mends.json),
        taggedCalls({
          calls: [
            { openers: ['<function='], header: equalsName },
            { openers: ['<function'], header: nameAttribute },
          ],
          callClosers,
          parameters: [
            { openers: ['<parameter='], header: equalsName },
            { openers: ['<parameter'], header: nameAttribute },
          ],
          parameterClosers: ['</parameter>'],
        }),
        mendedCalls(jsonCalls({ openers, closers }), () => mends.json),
      ],
      // Without its special tokens the wrapper is that of the models that write the same body.
      sections: { openers, closers },
      reasoning: [['<seed:think>', '</seed:think>']],
      turnEnds: ['<seed:eos>'],
    }),
  ),
});
