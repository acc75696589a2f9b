import type { Repair } from '../call-warnings.ts';
import { isPlainName } from '../calls/tool-table.ts';
import { ticks } from '../documentation/fenced-code.ts';
import {
  type CallMarkers,
  type CallOpener,
  type CallsForm,
  closedBy,
  type GrammarForm,
  type LookSection,
  type Marker,
  type NamedSections,
  type Open,
  type Opening,
  opensNoCall,
  type Place,
  type ReasoningPair,
  type SectionForm,
  type SectionReport,
} from '../grammar.ts';
import { rememberedFor } from '../remembered-for.ts';
import { lookBehindSpace, lookFor, type Scanner } from '../scanner.ts';
import { MarkerTrie } from './marker-trie.ts';
import { allWhole, type RepairOf, repairedClosers, spellings } from './repaired-literals.ts';

/** What every dialect knows as reasoning. */
const commonReasoning: readonly ReasoningPair[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
];

const noSections: SectionForm = { openers: [], closers: [] };

/** Says what literals mean that have no meaning yet. */
type Add = (literals: readonly string[], marker: Marker) => void;

/**
 * What each literal of one dialect's form means. Where a literal has several meanings, the one that comes first here
 * counts. The same table for the same form.
 */
export const formMarkers = rememberedFor((form: GrammarForm): ReadonlyMap<string, Marker> => {
  const { openers: sectionOpeners, closers: sectionClosers, named } = form.sections ?? noSections;
  const { results = [], turnEnds = [], silent = [], labels = [], reasoning = [] } = form;
  const openResults = [...results.filter((opener) => typeof opener === 'string'), ...turnOpeners];
  const ends = [...sectionOpeners, ...sectionClosers, ...openResults, ...turnEnds, ...silent];
  const { repairOf = allWhole } = form;
  const kinds = form.calls.map((form) => repairedMarkers(form({ ends, closers: sectionClosers, repairOf }), repairOf));
  const markers = new Map<string, Marker>();
  const add: Add = (literals, marker) => {
    for (const literal of literals) if (!markers.has(literal)) markers.set(literal, marker);
  };

  const calls = groupOpeners(kinds, (literal, closers) => sectionOfCall(form, literal, closers));
  const look = beforeOneOf([...calls.keys(), ...sectionOpeners, ...sectionClosers]);
  for (const [literal, { open, place }] of calls) {
    const section = sectionOpeners.includes(literal) ? { section: look, report: reportOf(form, literal) } : {};
    add([literal], { kind: 'opener', open, place, ...section });
  }
  const opener = { kind: 'opener', open: opensNoCall, place: 'anywhere' } as const;
  for (const literal of sectionOpeners) add([literal], { ...opener, section: look, report: reportOf(form, literal) });
  if (named !== undefined) {
    const header = { ...opener, section: afterName(named, { look, sectionOpeners }), report: { closers: [] } };
    add(named.openers, header);
    add(named.first, { ...header, first: true });
  }
  // A call swallows its closer itself; elsewhere a token that also ends turns ends one.
  add(
    turnEnds.filter((literal) => results.includes(literal)),
    { kind: 'turn-end', opensTurn: true },
  );
  add(turnEnds, { kind: 'turn-end' });
  add(form.toUser ?? [], { kind: 'silent', toUser: true });
  add(silent, { kind: 'silent' });
  add(labels, { kind: 'label' });
  addClosers(add, kinds, sectionClosers);
  add(openResults, { kind: 'result' });
  for (const opener of results) {
    if (typeof opener !== 'string') add([opener.afterCall], { kind: 'result', afterCall: true });
  }
  for (const [opener, closer, next] of form.headed ?? []) {
    add([opener], { kind: 'reasoning', ends: closedBy([closer], next), place: 'reply-start' });
  }
  for (const [opener, closer, next] of [...reasoning, ...commonReasoning]) {
    add([opener], { kind: 'reasoning', ends: closedBy([closer], next) });
    add([closer], { kind: 'reasoning-closer' });
  }
  return markers;
});

function addClosers(add: Add, kinds: readonly CallMarkers[], sectionClosers: readonly string[]): void {
  // A fence's closer closes any fence: without a call before it, it is Markdown.
  const callClosers = kinds.flatMap(({ closers }) => closers).filter((closer) => closer !== ticks);
  const shared = sectionClosers.filter((closer) => callClosers.includes(closer));
  add(shared, { kind: 'closer', of: 'section-or-call' });
  add(sectionClosers, { kind: 'closer', of: 'section' });
  add(callClosers, { kind: 'closer', of: 'call' });
  const valueClosers = kinds.flatMap((kind) => kind.valueClosers ?? []);
  add(valueClosers, { kind: 'closer', of: 'value' });
}

function repairedMarkers(markers: CallMarkers, repairOf: RepairOf): CallMarkers {
  return { ...markers, openers: repairedOpeners(markers.openers, repairOf) };
}

/** What there is to report of a section that opens with this literal. */
function reportOf({ sections = noSections, repairOf = allWhole }: GrammarForm, literal: string): SectionReport {
  const closers = repairedClosers(literal, sections.closers, repairOf);
  const { outer = [], inner = [] } = sections.nested ?? {};
  const place = outer.includes(literal) ? 'outer' : inner.includes(literal) ? 'inner' : undefined;
  return { repair: repairOf(literal), closers, place };
}

/** What a call has to do with sections that opens with this literal and ends with one of these closers. */
function sectionOfCall(form: GrammarForm, literal: string, closers: readonly string[]): Opening['section'] {
  const { openers, closers: sectionClosers, optional = false } = form.sections ?? noSections;
  const section = openers.find((opener) => literal.startsWith(opener));
  if (section !== undefined) {
    return closers.some((closer) => sectionClosers.includes(closer)) ? undefined : reportOf(form, section);
  }
  return openers.length === 0 || optional ? undefined : 'belongs';
}

/** A name that is longer is prose. */
const longestName = 192;

/** A section opens after a name and `end`, if the call in it has that name. */
function afterName(
  { end, except, call: [before, after] }: NamedSections,
  { look, sectionOpeners }: { readonly look: LookSection; readonly sectionOpeners: readonly string[] },
): LookSection {
  const callsIt = (scanner: Scanner, index: number, name: string) => {
    const inside = lookBehindSpace(scanner, sectionOpeners, index);
    if (inside === 'more') return 'more';
    const header = lookBehindSpace(scanner, [before], inside === 'no' ? index : inside);
    // The template names a tool without a namespace twice: `read.read`.
    const names = [...new Set([name, name.slice(name.lastIndexOf('.') + 1)])];
    return typeof header === 'string'
      ? header
      : lookFor(
          scanner,
          header,
          names.map((each) => each + after),
        );
  };
  return (scanner, index, length) => {
    const start = index + length;
    let at = start;
    while (at < scanner.text.length && at - start <= longestName && isPlainName(scanner.text.charAt(at))) at += 1;
    if (at - start > longestName) return 'no';
    if (scanner.wantsMore(at)) return 'more';
    const name = scanner.text.slice(start, at);
    const ends = name === '' || except.includes(name) ? 'no' : lookFor(scanner, at, [end]);
    const opens = typeof ends === 'string' ? ends : look(scanner, index, ends - index);
    if (typeof opens === 'string') return opens;
    const calls = callsIt(scanner, opens, name);
    return typeof calls === 'string' ? calls : opens;
  };
}

/** A section opens before one of these literals. */
export function beforeOneOf(literals: Iterable<string>): LookSection {
  let known: MarkerTrie<true> | undefined;
  const make = () => new MarkerTrie(Array.from(literals, (literal) => [literal, true] as const));
  return (scanner, index, length) => {
    known ??= make();
    const followers = known;
    const next = scanner.afterSpace(index + length);
    const found = typeof next === 'string' ? next : followers.find(scanner.text, next, scanner.ended);
    return typeof found === 'string' ? found : index + length;
  };
}

/** One opener for each literal: where several ways to write calls share it, the first that finds a call counts. */
function groupOpeners(
  kinds: readonly CallMarkers[],
  sectionOf: (literal: string, closers: readonly string[]) => Opening['section'],
): Map<string, { readonly open: Open; readonly place: Place }> {
  const grouped = new Map<string, { readonly open: Open; readonly place: Place }>();
  for (const { openers, closers } of kinds) {
    for (const { literal, open: bare, place = 'anywhere' } of openers) {
      const open = openSectioned(bare, sectionOf(literal, closers));
      const known = grouped.get(literal);
      grouped.set(
        literal,
        known === undefined ? { open, place } : { open: openEither(known.open, open), place: known.place },
      );
    }
  }
  return grouped;
}

function openSectioned(open: Open, section: Opening['section']): Open {
  if (section === undefined) return open;
  return (scanner, index, length, shown) => {
    const opening = open(scanner, index, length, shown);
    return typeof opening !== 'string' && 'read' in opening ? { ...opening, section } : opening;
  };
}

function openEither(first: Open, second: Open): Open {
  return (scanner, index, length, shown) => {
    const opening = first(scanner, index, length, shown);
    return opening === 'no' ? second(scanner, index, length, shown) : opening;
  };
}

/** What this form reads, reported as repaired where it is not what the dialect's own template writes. */
export function repairedCalls(form: CallsForm, repairOf: RepairOf): CallsForm {
  return (around) => {
    const markers = form(around);
    return { ...markers, openers: repairedOpeners(markers.openers, repairOf) };
  };
}

/** Openers that report what is wrong with them. */
function repairedOpeners(openers: readonly CallOpener[], repairOf: RepairOf): readonly CallOpener[] {
  return openers.map((opener) => {
    const repair = repairOf(opener.literal);
    return repair === undefined ? opener : { ...opener, open: openRepaired(opener.open, repair) };
  });
}

function openRepaired(open: Open, repair: Repair): Open {
  return (scanner, index, length, shown) => {
    const opening = open(scanner, index, length, shown);
    if (typeof opening === 'string' || !('read' in opening)) return opening;
    return { ...opening, repairs: [repair, ...(opening.repairs ?? [])] };
  };
}

// Table: what opens a turn of the other side in the chat templates of models.

/**
 * After a call, a model that writes one of these has begun to make up what it is told, whatever its dialect: most of them
 * can be taught to any model, and a model keeps its own template. The token that ended its own turn goes with it.
 *
 * Sources: the chat templates published with the models, as for `turnMarkers`, by which foreign text is escaped.
 */
export const turnOpeners: readonly string[] = [
  // ChatML; Llama 3 and 4
  ...spellings(['<|im_end|>\n', '<|im_end|>', ''], ['<|im_start|>'], ['user', 'tool']),
  ...spellings(['<|eot_id|>', '<|eom_id|>', ''], ['<|start_header_id|>'], ['user', 'ipython', 'tool']),
  ...spellings(['<|eot|>', ''], ['<|header_start|>'], ['user', 'ipython', 'tool']),
  // Gemma
  ...spellings(['<end_of_turn>\n', ''], ['<start_of_turn>'], ['user', 'tool', 'developer']),
  ...spellings(['<turn|>\n', ''], ['<|turn>'], ['user', 'tool']),
  // gpt-oss; Granite; MiniMax; Seed
  ...spellings(['<|start|>'], ['user', 'tool']),
  ...spellings(['<|start_of_role|>'], ['user', 'tool_response']),
  ...spellings([']~b]', '<seed:bos>'], ['user', 'tool']),
  // Phi and GLM; DeepSeek; Cohere; Mistral
  '<|user|>',
  '<｜User｜>',
  ...spellings(['<|START_OF_TURN_TOKEN|>'], ['<|USER_TOKEN|>', '<|SYSTEM_TOKEN|>']),
  '[INST]',
];
