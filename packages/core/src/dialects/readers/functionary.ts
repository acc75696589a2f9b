import { llamaMarkers } from '../families/llama.ts';
import { type CallHeader, headedCalls } from '../forms/header/headed-json-call.ts';
import type { Channel } from '../parser/grammar.ts';
import type { TableReader } from '../table/parts.ts';

/** What may be between `>>>` and a recipient: each makes a marker of its own, so they are few. */
const gaps: readonly string[] = ['', ' ', '  ', '\t'];

const lineEnds = ['\n', '\r\n'];

/** Parts of a reply under their recipients, `all` or a tool: `>>>read⏎{…}`. The prompt ends in `>>>`, so a reply begins without it. */
export const functionaryHeader: TableReader = {
  gaps,
  // `>>>` is also the prompt of Python: only a recipient that exists makes a header of it.
  header: ({ tools }) => {
    const names = new Set(tools.map(({ name }) => name));
    return (header): CallHeader | Omit<Channel, 'end'> | undefined => {
      if (header === 'all') return {};
      return names.has(header) ? { name: header } : undefined;
    };
  },
  grammar: (form, { tools }) => {
    const begun = [...new Set(tools.map(({ name }) => name))].map((name) =>
      headedCalls({
        openers: lineEnds.map((end) => ({ literal: name + end, place: 'reply-start' as const })),
        separators: [],
        closers: [],
        // White space of any length could not be escaped in what users and tools write.
        longestHeader: 0,
        readHeader: (header) => (header === '' ? { name } : undefined),
      }),
    );
    return { ...form, calls: [...form.calls, ...begun] };
  },
  markers: (tools) => {
    const recipients = ['all', ...tools.map(({ name }) => name)];
    const headers = recipients.flatMap((recipient) => gaps.map((gap) => `>>>${gap}${recipient}`));
    return [...headers, ...llamaMarkers, ...tools.flatMap(({ name }) => lineEnds.map((end) => `${name}${end}{`))];
  },
};
