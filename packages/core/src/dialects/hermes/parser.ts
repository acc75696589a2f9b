import type { StageFactory } from '../../stage.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { createFrame } from '../kit/frame.ts';
import { type Grammar, type Marker, thinkMarkers } from '../kit/grammar.ts';
import { type JsonForm, openJson } from '../kit/json-call.ts';
import { MarkerTrie } from '../kit/marker-trie.ts';

const form: JsonForm = { opener: '<tool_call>', closer: '</tool_call>' };

const grammar: Grammar = {
  names: 'normalised',
  markers: new MarkerTrie<Marker>([
    [form.opener, { kind: 'opener', open: openJson(form) }],
    [form.closer, { kind: 'closer', of: 'call' }],
    ['<tool_response>', { kind: 'result' }],
    ['<|im_end|>', { kind: 'turn-end' }],
    ['<|endoftext|>', { kind: 'turn-end' }],
    ...thinkMarkers,
  ]),
};

/** Kernel J1: a JSON object between markers. Balance ends a call; the closer is swallowed where it stands. */
export function createParser(context: ParseContext): StageFactory<string, Span> {
  return createFrame(grammar, context);
}
