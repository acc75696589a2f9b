import type { ParsePolicy } from '../dialect.ts';
import type { Grammar, Open, Place } from './grammar.ts';
import { formMarkers } from './markers/form-markers.ts';
import { mergeFirst, mergeMarkers } from './markers/merge-markers.ts';
import { closedBy } from './markers/reasoning-ends.ts';
import type { MendOf } from './markers/repaired-literals.ts';

export { closedBy } from './markers/reasoning-ends.ts';

/** A literal that may open a call. */
export interface CallOpener {
  readonly literal: string;
  readonly open: Open;
  /** Default `anywhere`. */
  readonly place?: Place;
}

/** The markers of one form of calls. */
export interface CallMarkers {
  readonly openers: readonly CallOpener[];
  /** Behind a call; alone they mean nothing and are dropped. */
  readonly closers: readonly string[];
  /** Behind a value; alone they mean nothing and are dropped. */
  readonly valueClosers?: readonly string[];
  /** What headers of channels are made of behind their opener; dropped with it, and no marker elsewhere. */
  readonly headers?: readonly string[];
}

/** What stands around calls in the grammar that a form is part of. */
export interface Around {
  /** What ends a call whose closer is missing: openers and closers of sections, results, turn ends, silent tokens. */
  readonly ends: readonly string[];
  /** Of these, the closers of sections. */
  readonly closers: readonly string[];
  /** What is wrong with a marker of the grammar that is written so. Default: nothing. */
  readonly mendOf?: MendOf;
}

/** A form of calls with a dialect's literals. */
export type CallsForm = (around: Around) => CallMarkers;

/** What stands around reasoning. `next`: markers that end it, too, where its closer is missing; they are not consumed. */
export type ReasoningPair = readonly [opener: string, closer: string, next?: readonly string[]];

/** What stands around calls. */
export interface SectionForm {
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  /** Openers behind which a name stands, up to `end`: the header of a message to some tool. Default: none. */
  readonly named?: NamedSections;
  /** Of the openers, those around all calls, in which each call stands behind one of the inner ones. Default: none. */
  readonly nested?: { readonly outer: readonly string[]; readonly inner: readonly string[] };
  /** Calls stand outside as well, so it is nothing to tell of where none is around one. Default false. */
  readonly optional?: boolean;
}

export interface NamedSections {
  readonly openers: readonly string[];
  /** They count only at the start of a reply, where the prompt has written the rest of the opener. */
  readonly first: readonly string[];
  readonly end: string;
  /** Names that mean something else. */
  readonly except: readonly string[];
  /** What stands around the name in the call behind it. A header to another tool than that is text: it would be lost. */
  readonly call: readonly [before: string, behind: string];
}

/** A result opens with something that stands elsewhere, too: it is one only directly behind a call, without any space. */
export interface ResultBehindCall {
  readonly behindCall: string;
}

/** What a dialect's text is made of. Only `calls` has to be said. */
export interface GrammarForm {
  /** How calls are written: first the dialect's own way, then what else its models write. */
  readonly calls: readonly CallsForm[];
  /** What stands around one or more calls. A section's opener counts only with a call, or its closer, behind it. */
  readonly sections?: SectionForm;
  /** Openers and closers of reasoning beside `<think>` and `<thinking>`, which every dialect knows. */
  readonly reasoning?: readonly ReasoningPair[];
  /** Words in front of reasoning and behind it. They open it at the start of a reply only, and are text elsewhere. */
  readonly headed?: readonly ReasoningPair[];
  /**
   * What opens a tool's result, or another turn in which the model is told something. Where a turn ends with the token that
   * opens the next one, it stands in `turnEnds` as well: alone it is only the end.
   */
  readonly results?: readonly (string | ResultBehindCall)[];
  /** Tokens that end a turn. */
  readonly turnEnds?: readonly string[];
  /** What means nothing and is never shown. */
  readonly silent?: readonly string[];
  /** Of the silent, headers of messages to the user: what stands behind one calls nothing, up to the next of the silent. */
  readonly toUser?: readonly string[];
  /** What a transcript writes in front of an answer; dropped at the start of a reply and behind markers, else text. */
  readonly labels?: readonly string[];
  /** What the lesson writes on the line in front of an example that calls a declared tool. A model that quotes it calls nothing. */
  readonly examples?: readonly string[];
  /** `<final_answer>` around an answer is left out also where the prompt does not name it. Default false. */
  readonly answerTags?: boolean;
  /** How a name may differ from the declared one. Default `normalised`. */
  readonly names?: ParsePolicy['names'];
  /** ASCII letters of markers match in either case. Default false. */
  readonly fold?: boolean;
  /** What is told of a call, or a section, one of whose markers is written so. Default: nothing is wrong with any. */
  readonly mendOf?: MendOf;
}

/** A further dialect whose calls are read beside a dialect's own. */
export interface Neighbour {
  readonly id: string;
  readonly form: GrammarForm;
}

/** What a grammar is made of beside the dialect's own form. */
export interface GrammarOptions {
  /** In the order in which they are asked where several write calls behind one literal. Default: none. */
  readonly neighbours?: readonly Neighbour[];
  /** Default `everything`. */
  readonly takes?: Grammar['takes'];
}

/**
 * Makes the table of markers of a dialect, and of its neighbours. Where a literal has several meanings, the dialect's own
 * count first, and of openers the first one that finds a call. What opens a call counts in every form; what stands around
 * calls in a neighbour's form means nothing before the reply has shown that it is written in that form. Names, letter case
 * and tags of answers are always the dialect's own. Reasoning that a prompt has opened ends with the closer of any form.
 */
export function createGrammar(form: GrammarForm, options: GrammarOptions = {}): Grammar {
  const { neighbours = [], takes = 'everything' } = options;
  const readings = [
    { markers: formMarkers(form) },
    ...neighbours.map((neighbour) => ({ of: neighbour.id, markers: formMarkers(neighbour.form) })),
  ];
  const reasoning = [form, ...neighbours.map((neighbour) => neighbour.form)].flatMap((each) => each.reasoning ?? []);
  const closers = [...reasoning.map(([, closer]) => closer), '</think>'];
  return {
    markers: mergeMarkers(readings, { takes, fold: form.fold ?? false }),
    firstSections: mergeFirst(readings),
    names: form.names ?? 'normalised',
    openedReasoning: closedBy(
      closers,
      reasoning.flatMap(([, , next = []]) => next),
    ),
    answerTags: form.answerTags ?? false,
    examples: form.examples ?? [],
    takes,
  };
}
