import { defineDialect } from '../kit/define-dialect.ts';
import type { Channel } from '../kit/grammar.ts';
import { type CallHeader, headedCalls } from '../kit/headed-json-call.ts';
import { llamaResultOpeners } from '../kit/render/llama.ts';
import * as prompt from './prompt.ts';

const lineEnds = ['\n', '\r\n'];

/** A recipient on a line, then text or JSON arguments for it. */
export const functionaryV32 = defineDialect({
  id: 'functionary-v3.2',
  summary: '`>>>NAME⏎{…}`, text as `>>>all⏎`: Functionary 3.2',
  prompt,
  grammar: ({ tools }) => {
    const names = new Set(tools.map(({ name }) => name));
    // `>>>` is also the prompt of Python: only a recipient that exists makes a header of it.
    const readHeader = (header: string): CallHeader | Omit<Channel, 'end'> | undefined => {
      if (header === 'all') return {};
      return names.has(header) ? { name: header } : undefined;
    };
    // The prompt ends in `>>>`, so a reply begins with the recipient alone.
    const begun = [...names].map((name) =>
      headedCalls({
        openers: lineEnds.map((end) => ({ literal: name + end, place: 'reply-start' as const })),
        separators: [],
        closers: [],
        // White space of any length could not be escaped in what users and tools write.
        longestHeader: 0,
        readHeader: (header) => (header === '' ? { name } : undefined),
      }),
    );
    return {
      calls: [
        headedCalls({
          openers: ['>>>'],
          separators: ['\n'],
          closers: [],
          gaps: prompt.gaps,
          readHeader,
          channelWords: ['all'],
        }),
        ...begun,
      ],
      labels: lineEnds.map((end) => `all${end}`),
      results: llamaResultOpeners(tools),
      turnEnds: ['<|eot_id|>', '<|eom_id|>'],
    };
  },
});
