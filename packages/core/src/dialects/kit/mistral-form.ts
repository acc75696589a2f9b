import type { GrammarForm } from './create-grammar.ts';
import { headedCalls } from './headed-json-call.ts';
import { jsonCalls } from './json-call.ts';

const opener = '[TOOL_CALLS]';
const idMarker = '[CALL_ID]';

/** The calls of all Mistral models: the marker is the same, and what stands behind it tells the two forms apart. */
export const mistralForm: GrammarForm = {
  calls: [
    headedCalls({
      openers: [opener],
      // Often not rendered as text: then the brace separates.
      separators: ['[ARGS]'],
      closers: [],
      readHeader: (header) => {
        const at = header.indexOf(idMarker);
        const name = at < 0 ? header : header.slice(0, at).trim();
        // The list of the older form.
        if (name.startsWith('[')) return undefined;
        return at < 0 ? { name } : { name, nativeId: header.slice(at + idMarker.length).trim() };
      },
    }),
    jsonCalls({ openers: [opener], closers: [], sequence: ',' }),
  ],
  // Nothing closes a call; models that know other forms close it anyway.
  sections: { openers: [], closers: ['[/TOOL_CALLS]'] },
  reasoning: [['[THINK]', '[/THINK]']],
  results: ['[TOOL_RESULTS]'],
  turnEnds: ['</s>'],
};
