import type { ParsePolicy } from '../dialect.ts';
import type { Repair } from './call-warnings.ts';
import type { CallWriter } from './calls/call-writer.ts';
import type { Mentions } from './documentation/mention.ts';
import type { AroundCalls, Surroundings } from './markers/around-calls.ts';
import type { Resume } from './markers/closers.ts';
import { MarkerTrie } from './markers/marker-trie.ts';
import type { RepairedLiterals, RepairOf } from './markers/repaired-literals.ts';
import type { Scanner } from './scanner.ts';

/**
 * How far a reader has come. `more`: all that can be decided is consumed. `done`: the call is over. `again`: the call is
 * over and another one is here. `broken`: what is here cannot be here.
 */
export type Progress = 'more' | 'done' | 'again' | 'broken';

/** A value that is being read. Most of its text means nothing but itself, and a model writes it a few characters at a time. */
export interface OpenValue {
  /** Goes on with all of this text, if none of it can be anything else. False where the call's reader has to look. */
  pass(text: string): boolean;
}

/**
 * Reads one call after its opener, consuming from the scanner and passing what it finds to the call writer. When the
 * scanner has ended, `more` means that the call is incomplete.
 */
export interface CallReader {
  read(scanner: Scanner): Progress;
  /** Where reading goes on, when `read` said `more` and took all that had come: inside a value. Default: somewhere else. */
  readonly inside?: OpenValue | undefined;
  /** The call is broken: where reading goes on. Without it, after what was read. */
  resume?: (raw: string) => Resume;
}

/** What there is to report of a section after its opener. */
export interface SectionReport {
  /** What is wrong with the opener. */
  readonly repair?: Repair | undefined;
  /** What is wrong with closers after it. */
  readonly closers: RepairedLiterals;
  /** Calls are in others inside of it, or it belongs into such a one. */
  readonly place?: 'outer' | 'inner' | undefined;
}

/** A call does start here; `end` is the index after what opens it. */
export interface Opening {
  readonly end: number;
  /** The neighbour in whose form it is written; absent: the dialect's own. */
  readonly of?: string;
  /** How much of the literal that was found its own marker takes. Absent: all. */
  readonly length?: number;
  /** It belongs into a section, or what opens it has opened this one as well, which its own closer does not close. */
  readonly section?: 'belongs' | SectionReport | undefined;
  /**
   * Whether the tokens of a form are there that is read without them, too. After a call with them, one without is an echo,
   * which stays text. Default: the form is not read so.
   */
  readonly tokens?: 'there' | 'missing';
  /** What was wrong with its markup so far. Default: nothing. */
  readonly repairs?: readonly Repair[];
  read(call: CallWriter): CallReader;
}

/** What ends a span of reasoning: its closer, which is consumed, or the `next` marker, which is not. */
export type ReasoningEnds = MarkerTrie<'closer' | 'next'>;

/** A channel starts here, after a header that ends at `end`: reasoning up to its ends, or else text. */
export interface Channel {
  readonly end: number;
  readonly reasoning?: ReasoningEnds;
  /** The neighbour that it belongs to; absent: the dialect itself. */
  readonly of?: string;
}

/**
 * Decides what starts at `index`, where an opener's literal of `length` has been found. Consumes nothing. What it looks at
 * is bounded, whatever is there. `shown`: the neighbours in whose form the reply has shown itself to be written.
 */
export type Open = (
  scanner: Scanner,
  index: number,
  length: number,
  shown: ReadonlySet<string>,
) => Opening | Channel | 'no' | 'more';

/**
 * Looks whether a section of calls opens at `index`, where its literal of `length` has been found: something that may stand
 * in it comes after it, after white space. The index after the literal if so. Consumes nothing.
 */
export type LookSection = (scanner: Scanner, index: number, length: number) => number | 'no' | 'more';

/**
 * Where a marker counts: anywhere, only with nothing but white space and list marks before it on its line, or only with
 * nothing but white space before it in the reply.
 */
export type MarkerPlace = 'anywhere' | 'line-start' | 'reply-start';

/** What may open a section. `first`: only at the start of a reply. */
export interface SectionMarker {
  readonly section: LookSection;
  readonly report: SectionReport;
  readonly first?: boolean;
}

/** May open a call, or else a section. */
export interface OpenerMarker extends Partial<SectionMarker> {
  readonly kind: 'opener';
  readonly open: Open;
  readonly place: MarkerPlace;
  /** A section that opens here shows that the reply is written in the form of one of these neighbours. */
  readonly shows?: readonly string[];
}

/** What a marker in visible text means. */
export type Marker =
  | OpenerMarker
  /** Closes a section, or a call or a value that had no opener. */
  | { readonly kind: 'closer'; readonly of: 'section' | 'call' | 'section-or-call' | 'call-or-section' | 'value' }
  | { readonly kind: 'reasoning'; readonly ends: ReasoningEnds; readonly place?: 'reply-start' }
  | { readonly kind: 'reasoning-closer' }
  /** Opens a tool's result, which only we may write. `afterCall`: only directly after a call. */
  | { readonly kind: 'result'; readonly afterCall?: true }
  /** Ends a turn; dropped at the end of a reply. `opensTurn`: by opening one of the other side. */
  | { readonly kind: 'turn-end'; readonly opensTurn?: true }
  /** Means nothing and is never shown. `toUser`: after it nothing is a call, up to the next such marker or header. */
  | { readonly kind: 'silent'; readonly toUser?: boolean }
  /** Stands before an answer, where it is never shown. */
  | { readonly kind: 'label' }
  /** Opens or closes the final answer; never shown. */
  | { readonly kind: 'answer' };

/**
 * When a literal means something: always; once the reply has shown that it is written in the neighbour's form; or also
 * where nothing but markers and white space has come since the last marker, or the start of the reply.
 */
export type Counts = 'always' | 'shown' | 'edge';

/** What a literal means in one dialect. */
export interface Meaning {
  readonly marker: Marker;
  /** How much of the literal that was found it takes: another dialect's marker may go on where this one ends. Absent: all. */
  readonly length?: number;
  readonly counts: Counts;
  /** The neighbour in which it means that; absent: the dialect itself. */
  readonly of?: string;
}

/** A meaning of what is somewhere, with how much of it that takes. */
export type MeaningHere = Meaning & { readonly length: number };

/** What a marker means, worked out where it is first met: a grammar that depends on the tools has thousands of markers. */
export type Meanings = () => readonly Meaning[];

/** A dialect's table of markers, as the frame reads by it. `createGrammar` makes it of the forms of dialects. */
export interface Grammar {
  /** What each literal means, the dialect's own meaning first. The first one that counts is taken. */
  readonly markers: MarkerTrie<Meanings>;
  /** Sections that open only at the start of a reply, before all else: nowhere else is text held back for them. */
  readonly firstSections: MarkerTrie<readonly Meaning[]>;
  /** Follows what is around the calls of one reply. Absent: nothing is. */
  readonly followAround?: SectionForm['follow'] | undefined;
  readonly names: ParsePolicy['names'];
  /** What ends the reasoning that the prompt has opened. */
  readonly openedReasoning: ReasoningEnds;
  /** The dialect's own prompts ask for the final answer in tags. */
  readonly answerTags: boolean;
  /** Finds where calls are mentioned and not meant in one reply. Absent: nowhere. */
  readonly mentions?: GrammarForm['mentions'];
  /** `calls`: only calls are taken out of the text; all else is delivered as it was written, reasoning included. */
  readonly takes: 'everything' | 'calls';
}

/** What models are taught to write around their final answer. They copy it in any letter case. */
export const answerTags = new MarkerTrie<Meanings>(
  ['<final_answer>', '</final_answer>'].map(
    (tag) => [tag, () => [{ marker: { kind: 'answer' }, counts: 'always' }]] as const,
  ),
  { fold: true },
);

/** Reasoning that ends with one of these closers. */
export function closedBy(closers: readonly string[], next: readonly string[] = []): ReasoningEnds {
  const ends: ReasoningEnds = new MarkerTrie();
  for (const closer of closers) ends.add(closer, 'closer');
  for (const marker of next) ends.add(marker, 'next');
  return ends;
}

/** A literal that may open a call. */
export interface CallOpener {
  readonly literal: string;
  readonly open: Open;
  /** Default `anywhere`. */
  readonly place?: MarkerPlace | undefined;
}

/** The markers of one form of calls. */
export interface CallMarkers {
  readonly openers: readonly CallOpener[];
  /** After a call; alone they mean nothing and are dropped. */
  readonly closers: readonly string[];
  /** After a value; alone they mean nothing and are dropped. */
  readonly valueClosers?: readonly string[];
}

/** What is around calls in the grammar that a form is part of. */
export interface Around {
  /** What ends a call whose closer is missing: openers and closers of sections, results, turn ends, silent tokens. */
  readonly ends: readonly string[];
  /** Of these, the closers of sections. */
  readonly closers: readonly string[];
  /** What is wrong with a marker of the grammar that is written so. Default: nothing. */
  readonly repairOf?: RepairOf;
}

/** A form of calls with a dialect's literals. */
export type CallsForm = (around: Around) => CallMarkers;

/** What is around reasoning. `next`: markers that end it, too, where its closer is missing; they are not consumed. */
export type ReasoningPair = readonly [opener: string, closer: string, next?: readonly string[]];

/** What is around calls, and how it is read: `sectionForm` makes one. */
export interface SectionForm {
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  /** The openers of calls, what else opens sections, and the headers of messages to the user. */
  markers(calls: ReadonlyMap<string, OpenerMarker>, repairOf: RepairOf): ReadonlyMap<string, Marker>;
  /** The opener of a call that says what the call has to do with sections. */
  inside(open: Open, call: { readonly literal: string; readonly closers: readonly string[] }, repairOf: RepairOf): Open;
  /** The same with further markers that open sections, and headers of messages to the user: what comes after one calls nothing. */
  withHeaders(headers: SectionHeaders, toUser: readonly string[]): SectionForm;
  /** Follows what is around the calls of one reply. */
  follow(is: Surroundings): AroundCalls;
}

/** Headers that open sections, made of what finds one after its opener, and of the literals that open one. */
export type SectionHeaders = (look: LookSection, openers: readonly string[]) => ReadonlyMap<string, SectionMarker>;

/** What a dialect's text is made of. Only `calls` has to be said. */
export interface GrammarForm {
  /** How calls are written: first the dialect's own way, then what else its models write. */
  readonly calls: readonly CallsForm[];
  /** What is around one or more calls. */
  readonly sections?: SectionForm | undefined;
  /** Openers and closers of reasoning beside `<think>` and `<thinking>`, which every dialect knows. */
  readonly reasoning?: readonly ReasoningPair[];
  /** Words before reasoning and after it. They open it at the start of a reply only, and are text elsewhere. */
  readonly headed?: readonly ReasoningPair[];
  /**
   * What opens a tool's result, or another turn in which the model is told something. Where a turn ends with the token that
   * opens the next one, it is in `turnEnds` as well: alone it is only the end.
   */
  readonly results?: readonly string[];
  /** What opens a tool's result and is elsewhere, too: it is one only directly after a call, without any space. */
  readonly resultsAfterCall?: readonly string[];
  /** Tokens that end a turn. */
  readonly turnEnds?: readonly string[];
  /** What means nothing and is never shown. */
  readonly silent?: readonly string[];
  /** What a transcript writes before an answer; dropped at the start of a reply and after markers, else text. */
  readonly labels?: readonly string[];
  /** Finds where calls are mentioned in one reply, such as the examples of the lesson. Default: nowhere. */
  readonly mentions?: (() => Mentions) | undefined;
  /** `<final_answer>` around an answer is left out also where the prompt does not name it. Default false. */
  readonly answerTags?: boolean | undefined;
  /** How a name may differ from the declared one. Default `normalised`. */
  readonly names?: ParsePolicy['names'] | undefined;
  /** ASCII letters of markers match in either case. Default false. */
  readonly fold?: boolean;
  /** What is reported of a call, or a section, one of whose markers is written so. Default: nothing is wrong with any. */
  readonly repairOf?: RepairOf;
}
