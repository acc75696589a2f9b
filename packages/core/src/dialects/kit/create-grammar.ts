import type { ParsePolicy } from '../dialect.ts';
import { ticks } from './fence.ts';
import type { Grammar, Marker, Open, Place, ReasoningEnds } from './grammar.ts';
import { MarkerTrie } from './marker-trie.ts';

/** A literal that may open a call. */
export interface CallOpener {
  readonly literal: string;
  readonly open: Open;
  /** Default `anywhere`. */
  readonly place?: Place;
}

/** The markers of one way to write calls, as a kernel makes them. */
export interface CallMarkers {
  readonly openers: readonly CallOpener[];
  /** Behind a call; alone they mean nothing and are dropped. */
  readonly closers: readonly string[];
  /** Behind a value; alone they mean nothing and are dropped. */
  readonly valueClosers?: readonly string[];
}

/** What stands around calls in the grammar that a kernel is part of. */
export interface Around {
  /** What ends a call whose closer is missing: openers and closers of sections, results, turn ends. */
  readonly ends: readonly string[];
}

/** One of the nine kernels with a dialect's literals and switches. */
export type Kernel = (around: Around) => CallMarkers;

/** What stands around reasoning. `next`: markers that end it, too, where its closer is missing; they are not consumed. */
export type ReasoningPair = readonly [opener: string, closer: string, next?: readonly string[]];

/** What a dialect's text is made of. Only `calls` has to be said. */
export interface GrammarForm {
  /** How calls are written: first the dialect's own way, then what else its models write. */
  readonly calls: readonly Kernel[];
  /** What stands around one or more calls. A section's opener counts only with a call, or its closer, behind it. */
  readonly sections?: { readonly openers: readonly string[]; readonly closers: readonly string[] };
  /** Openers and closers of reasoning beside `<think>` and `<thinking>`, which every dialect knows. */
  readonly reasoning?: readonly ReasoningPair[];
  /** What opens a tool's result. */
  readonly results?: readonly string[];
  /** Tokens that end a turn. */
  readonly turnEnds?: readonly string[];
  /** What means nothing and is never shown. */
  readonly silent?: readonly string[];
  /** What a transcript writes in front of an answer; dropped at the start of a reply and behind markers, else text. */
  readonly labels?: readonly string[];
  /** `<final_answer>` around an answer is left out also where the prompt does not name it. Default false. */
  readonly answerTags?: boolean;
  /** How a name may differ from the declared one. Default `normalised`. */
  readonly names?: ParsePolicy['names'];
  /** ASCII letters of markers match in either case. Default false. */
  readonly fold?: boolean;
}

const commonReasoning: readonly ReasoningPair[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
];

/** Makes the table of a dialect's markers. Where a literal has several meanings, the one that comes first here counts. */
export function createGrammar(form: GrammarForm): Grammar {
  const { openers: sectionOpeners, closers: sectionClosers } = form.sections ?? { openers: [], closers: [] };
  const { results = [], turnEnds = [], silent = [], labels = [], reasoning = [] } = form;
  const ends = [...sectionOpeners, ...sectionClosers, ...results, ...turnEnds];
  const kinds = form.calls.map((kernel) => kernel({ ends }));
  const markers = new MarkerTrie<Marker>([], { fold: form.fold ?? false });
  const add = (literals: readonly string[], marker: Marker) => {
    for (const literal of literals) markers.add(literal, marker);
  };

  const calls = groupOpeners(kinds.flatMap(({ openers }) => openers));
  const followers = trueFor([...calls.keys(), ...sectionOpeners, ...sectionClosers]);
  for (const [literal, { open, place }] of calls) {
    const section = sectionOpeners.includes(literal) ? { section: followers } : {};
    markers.add(literal, { kind: 'opener', open, place, ...section });
  }
  add(sectionOpeners, { kind: 'section', followers });
  // A call swallows its closer itself; elsewhere a token that also ends turns ends one.
  add(turnEnds, { kind: 'turn-end' });
  add(silent, { kind: 'silent' });
  add(labels, { kind: 'label' });
  // A fence's closer closes any fence: without a call in front of it, it is Markdown.
  const callClosers = kinds.flatMap(({ closers }) => closers).filter((closer) => closer !== ticks);
  add(
    sectionClosers.filter((closer) => callClosers.includes(closer)),
    { kind: 'closer', of: 'section-or-call' },
  );
  add(sectionClosers, { kind: 'closer', of: 'section' });
  add(callClosers, { kind: 'closer', of: 'call' });
  add(
    kinds.flatMap(({ valueClosers = [] }) => valueClosers),
    { kind: 'closer', of: 'value' },
  );
  add(results, { kind: 'result' });
  const spans = [...reasoning, ...commonReasoning];
  for (const [opener, closer, next] of spans) {
    markers.add(opener, { kind: 'reasoning', ends: closedBy([closer], next) });
    markers.add(closer, { kind: 'reasoning-closer' });
  }
  const opened = closedBy(
    [...reasoning.map(([, closer]) => closer), '</think>'],
    reasoning.flatMap(([, , next = []]) => next),
  );
  return { markers, names: form.names ?? 'normalised', openedReasoning: opened, answerTags: form.answerTags ?? false };
}

/** Reasoning that ends with one of these closers. */
export function closedBy(closers: readonly string[], next: readonly string[] = []): ReasoningEnds {
  const ends: ReasoningEnds = new MarkerTrie();
  for (const closer of closers) ends.add(closer, 'closer');
  for (const marker of next) ends.add(marker, 'next');
  return ends;
}

/** A table of literals that are only asked for. */
export function trueFor(literals: readonly string[]): MarkerTrie<true> {
  return new MarkerTrie(literals.map((literal) => [literal, true] as const));
}

/** One opener for each literal: where several ways to write calls share it, the first that finds a call counts. */
function groupOpeners(openers: readonly CallOpener[]): Map<string, { readonly open: Open; readonly place: Place }> {
  const grouped = new Map<string, { readonly open: Open; readonly place: Place }>();
  for (const { literal, open, place = 'anywhere' } of openers) {
    const known = grouped.get(literal);
    grouped.set(
      literal,
      known === undefined ? { open, place } : { open: firstOf(known.open, open), place: known.place },
    );
  }
  return grouped;
}

function firstOf(first: Open, second: Open): Open {
  return (scanner, index, length) => {
    const opening = first(scanner, index, length);
    return opening === 'no' ? second(scanner, index, length) : opening;
  };
}
