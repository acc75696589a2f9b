import { closedBy, type Grammar, type GrammarForm, type Meaning, type Meanings } from './grammar.ts';
import { formMarkers } from './markers/form-markers.ts';
import { MarkerTrie } from './markers/marker-trie.ts';

/** Makes the table of markers of one dialect. */
export function createGrammar(form: GrammarForm): Grammar {
  const markers = new MarkerTrie<Meanings>([], { fold: form.fold ?? false });
  const firstSections = new MarkerTrie<readonly Meaning[]>();
  for (const [literal, marker] of formMarkers(form)) {
    const meanings: readonly Meaning[] = [{ marker, counts: 'always' }];
    if (marker.kind === 'opener' && marker.first) firstSections.add(literal, meanings);
    else markers.add(literal, () => meanings);
  }
  return { ...besideMarkers([form]), markers, firstSections, takes: 'everything' };
}

/** What is in a grammar beside its markers: of a dialect's own form, and reasoning of all. */
export function besideMarkers(
  forms: readonly [GrammarForm, ...GrammarForm[]],
): Omit<Grammar, 'markers' | 'firstSections' | 'takes'> {
  const [{ names = 'normalised', answerTags = false, mentions }] = forms;
  const reasoning = forms.flatMap((each) => each.reasoning ?? []);
  return {
    names,
    answerTags,
    mentions,
    followAround: forms.find(({ sections }) => sections)?.sections?.follow,
    openedReasoning: closedBy(
      [...reasoning.map(([, closer]) => closer), '</think>'],
      reasoning.flatMap(([, , next = []]) => next),
    ),
  };
}
