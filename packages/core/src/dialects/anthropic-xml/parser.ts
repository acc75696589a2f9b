import type { StageFactory } from '../../stage.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { createFrame } from '../kit/frame.ts';
import { type Grammar, type Marker, thinkMarkers } from '../kit/grammar.ts';
import { MarkerTrie } from '../kit/marker-trie.ts';
import { openTagged, tagged } from '../kit/tagged-call.ts';
import { spellings } from './spellings.ts';

const sectionOpeners = spellings('<', 'function_calls>');
const sectionClosers = spellings('</', 'function_calls>');
const callOpeners = spellings('<', 'invoke');
const callClosers = spellings('</', 'invoke>');
const parameterClosers = spellings('</', 'parameter>');
const results = spellings('<', 'function_results>');

// Some prompts ask for the answer in such tags; they are never shown.
const answerTags = ['final_answer', 'FINAL_ANSWER', 'Final_Answer', 'Final_answer'].flatMap((tag) => [
  `<${tag}>`,
  `</${tag}>`,
]);

const form = tagged({
  callOpeners,
  callClosers,
  parameterOpeners: spellings('<', 'parameter'),
  parameterClosers,
  ends: [...sectionClosers, ...results],
  padded: false,
});

const inSection = new MarkerTrie<true>(
  [...sectionOpeners, ...callOpeners, ...sectionClosers].map((marker) => [marker, true] as const),
);

const entries = (markers: readonly string[], marker: Marker) => markers.map((literal) => [literal, marker] as const);

const grammar: Grammar = {
  names: 'normalised',
  markers: new MarkerTrie<Marker>([
    ...entries(sectionOpeners, { kind: 'section', followers: inSection }),
    ...entries(sectionClosers, { kind: 'closer', of: 'section' }),
    ...entries(callOpeners, { kind: 'opener', open: openTagged(form) }),
    ...entries(callClosers, { kind: 'closer', of: 'call' }),
    ...entries(parameterClosers, { kind: 'closer', of: 'value' }),
    ...entries(results, { kind: 'result' }),
    ...entries(answerTags, { kind: 'silent' }),
    ...thinkMarkers,
  ]),
};

/** Kernel X1: tags with a `name` attribute, values as they are, typed by the schema. */
export function createParser(context: ParseContext): StageFactory<string, Span> {
  return createFrame(grammar, context);
}
