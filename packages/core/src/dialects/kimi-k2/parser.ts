import type { StageFactory } from '../../stage.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { createFrame } from '../kit/frame.ts';
import { type Grammar, type Marker, thinkMarkers } from '../kit/grammar.ts';
import { type HeadedForm, openHeaded } from '../kit/headed-json-call.ts';
import { MarkerTrie } from '../kit/marker-trie.ts';
import { readCallHeader } from './call-header.ts';

// Some builds write the section in the singular.
const sectionOpeners = ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'];
const sectionClosers = ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'];

const form: HeadedForm = {
  opener: '<|tool_call_begin|>',
  separator: '<|tool_call_argument_begin|>',
  closer: '<|tool_call_end|>',
  readHeader: readCallHeader,
};

const inSection = new MarkerTrie<true>([form.opener, ...sectionClosers].map((marker) => [marker, true] as const));

const grammar: Grammar = {
  names: 'normalised',
  markers: new MarkerTrie<Marker>([
    [form.opener, { kind: 'opener', open: openHeaded(form) }],
    [form.closer, { kind: 'closer', of: 'call' }],
    ...sectionOpeners.map((marker) => [marker, { kind: 'section', followers: inSection }] as const),
    ...sectionClosers.map((marker) => [marker, { kind: 'closer', of: 'section' }] as const),
    ['## Return of', { kind: 'result' }],
    ['<|im_end|>', { kind: 'turn-end' }],
    ...thinkMarkers,
  ]),
};

/** Kernel J3: a header with the name and the model's own id, then JSON arguments. */
export function createParser(context: ParseContext): StageFactory<string, Span> {
  return createFrame(grammar, context);
}
