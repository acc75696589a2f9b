import { isLetter, isSpace } from '../../../json/json-characters.ts';
import { type Repair, repairs } from '../../parser/call-warnings.ts';
import { isPlainName } from '../../parser/calls/tool-table.ts';
import type { Around } from '../../parser/grammar.ts';
import { type Closer, closes } from '../../parser/markers/closers.ts';
import { MarkerTrie } from '../../parser/markers/marker-trie.ts';
import {
  allWhole,
  type RepairedLiterals,
  type RepairOf,
  repairedClosers,
  repairedLiterals,
} from '../../parser/markers/repaired-literals.ts';
import { after, type Look, literalStart, lookFor, type Scanner } from '../../parser/scanner.ts';
import type { AfterArgumentsForm } from '../json/call-arguments.ts';
import type { HeaderReader, TagHeader } from './tag-header.ts';
import type { ValueEndPlace } from './value-end.ts';

/** How a call or a parameter opens: a literal, and what comes after it. */
export interface TagOpener {
  /** Where it ends in a letter, white space must follow it. */
  readonly literal: string;
  readonly header: HeaderReader;
}

/** How a dialect writes calls whose parameters stand one by one, as text. */
export interface TaggedForm {
  readonly calls: readonly TagOpener[];
  readonly callClosers: readonly string[];
  /** What does not say what closes a call reads one that is not closed as whole: nothing to report. Default false. */
  readonly closerOptional?: boolean;
  readonly parameters: readonly TagOpener[];
  /** A function: each parameter has its own. */
  readonly parameterClosers: readonly string[] | ((parameter: string) => readonly string[]);
  /** One newline on each side of a value belongs to the markup. Default false. */
  readonly padded?: boolean;
  /**
   * Lists and objects are tags inside tags, each with this marker in front: `M<item>…M</item>`. Where the marker stands
   * without a tag, a parameter's opener is missing, and its closer says its name. A closer without the marker counts in
   * front of one. Default: lists and objects are JSON.
   */
  readonly nestedMark?: string;
  /**
   * All arguments may be as one JSON object in a parameter of these names, where the tool has no such parameter. A call's
   * body may be such an object in every form. Default: none.
   */
  readonly jsonParameters?: readonly string[];
}

/** The opener of a parameter. */
interface ParameterStructure {
  readonly kind: 'parameter';
  readonly header: HeaderReader;
  /** How much of what was found its header begins with. */
  readonly spaces: number;
  /** What is wrong with an opener that is written so. */
  readonly repair?: Repair | undefined;
  /** What is wrong with a closer of its value, where not each parameter has its own. */
  readonly closers: RepairedLiterals;
}

/** What is inside a call between its values. */
export type Structure =
  | ParameterStructure
  /** A value whose opener is missing. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'closer' | 'end' | 'value-closer' };

/** The tables of a form, made once. */
export interface TaggedGrammar {
  readonly form: TaggedForm;
  readonly structure: MarkerTrie<Structure>;
  /** Of these, what may come directly after a call's header. */
  readonly bodies: MarkerTrie<Structure>;
  /** Closers of what is around calls: one after a call's header shows that nothing else is to come. */
  readonly sectionClosers: readonly string[];
  /** What comes after arguments that are one JSON object. */
  readonly afterJson: AfterArgumentsForm;
  /** The closer of a parameter's value. `outer`: closers of the lists and objects that the value is part of. */
  closer(parameter: string, outer?: readonly string[]): Closer;
  /** What is wrong with a closer of a call after this opener. */
  closersOf(opener: string): RepairedLiterals;
}

/** Reads what comes after an opener: after a letter it begins with white space. */
export function headerOf({ literal, header }: TagOpener): HeaderReader {
  if (!endsInLetter(literal)) return header;
  return (scanner, index, names) => {
    if (scanner.wantsMore(index)) return 'more';
    return isSpace(scanner.text.charCodeAt(index)) ? header(scanner, index, names) : 'no';
  };
}

/** Makes the tables of a form. */
export function tagged(form: TaggedForm, around: Around): TaggedGrammar {
  const { nestedMark, parameterClosers: closers } = form;
  const { ends, closers: sectionClosers, repairOf = allWhole } = around;
  const bodies = bodiesOf(form, repairOf);
  const allEnds = [...ends, ...form.calls.flatMap(({ literal }) => spaced(literal))];
  const structure = new MarkerTrie<Structure>(bodies.entries());
  for (const end of allEnds) structure.add(end, { kind: 'end' });
  const followers = new MarkerTrie<boolean>(
    structure.entries().map(([literal, { kind }]) => [literal, kind !== 'value-closer'] as const),
  );
  if (typeof closers !== 'function') for (const closer of closers) structure.add(closer, { kind: 'value-closer' });
  const valueClosers = typeof closers === 'function' ? [] : closers;
  const afterJson = { closers: [...form.callClosers, ...valueClosers], ends: allEnds };
  const calls = form.calls.map((opener) => ({ literal: opener.literal, header: headerOf(opener) }));
  const nested = { calls, bodies, closers: form.callClosers };
  const openers = calls.map(({ literal }) => literal);
  const closersOf = (opener: string) => repairedClosers(opener, form.callClosers, repairOf);
  const parameters = form.parameters.map(({ literal }) => literal);
  const rest = { followers, nestedCall: (scanner: Scanner, index: number) => nestedTagged(nested, scanner, index) };
  if (typeof closers !== 'function') {
    const stops = stopsOf([...closers, ...openers, ...parameters], structure);
    const closer: Closer = { literals: closers, stops, ...rest };
    return { form, structure, bodies, sectionClosers, afterJson, closer: () => closer, closersOf };
  }
  const afterUnmarked = new MarkerTrie<boolean>(
    followers.entries().filter(([literal]) => nestedMark !== undefined && literal.startsWith(nestedMark)),
  );
  const closer = (name: string, outer: readonly string[] = []): Closer => {
    const literals = closers(name);
    const unmarked = nestedMark === undefined ? [] : [`</${name}>`];
    const alsoFollows = (scanner: Scanner, index: number) => lookOf(lookFor(scanner, index, outer));
    const partial = { literals: unmarked, followers: afterUnmarked };
    const repaired = repairedLiterals([...literals, ...unmarked], (each) =>
      unmarked.includes(each) ? repairs.tokens : repairOf(each),
    );
    return {
      literals,
      stops: stopsOf([...literals, ...unmarked, ...openers], structure),
      alsoFollows,
      partial,
      repaired,
      ...rest,
    };
  };
  return { form, structure, bodies, sectionClosers, afterJson, closer, closersOf };
}

/** What is in a call: its parameters, and its closer. */
function bodiesOf(form: TaggedForm, repairOf: RepairOf): MarkerTrie<Structure> {
  const { nestedMark, parameterClosers: closers } = form;
  const bodies = new MarkerTrie<Structure>();
  for (const opening of form.parameters) {
    const { literal } = opening;
    const found = { kind: 'parameter', header: headerOf(opening), repair: repairOf(literal) } as const;
    const repaired = typeof closers === 'function' ? [] : repairedClosers(literal, closers, repairOf);
    for (const opener of spaced(literal))
      bodies.add(opener, { ...found, spaces: opener.length - literal.length, closers: repaired });
  }
  for (const closer of form.callClosers) bodies.add(closer, { kind: 'closer' });
  if (nestedMark !== undefined) bodies.add(nestedMark, { kind: 'unnamed' });
  for (const closer of closersOfTags(form)) bodies.add(closer, { kind: 'value-closer' });
  return bodies;
}

/** Where an opener is nothing but `<` after a marker, closers begin like it and open nothing. */
function closersOfTags({ parameters }: TaggedForm): readonly string[] {
  return parameters.flatMap(({ literal }) => (literal.endsWith('<') ? [`${literal}/`] : []));
}

/** These literals, and what of the structure begins like one of them; of suffixes what is before them. */
function stopsOf(literals: readonly string[], structure: MarkerTrie<Structure>): MarkerTrie<true> {
  const stops = new MarkerTrie<true>(literals.map((literal) => [literalStart(literal), true]));
  for (const [literal] of structure.entries()) {
    if (stops.starts.has(literal.charCodeAt(0))) stops.add(literalStart(literal), true);
  }
  return stops;
}

function lookOf(end: number | 'no' | 'more'): Look {
  return typeof end === 'number' ? 'yes' : end;
}

/** A literal with the white space that must follow it. */
function spaced(literal: string): readonly string[] {
  return endsInLetter(literal) ? [' ', '\n', '\t', '\r'].map((space) => literal + space) : [literal];
}

function endsInLetter(literal: string): boolean {
  return isLetter(literal.charCodeAt(literal.length - 1));
}

interface Nested {
  readonly calls: readonly TagOpener[];
  readonly bodies: MarkerTrie<Structure>;
  readonly closers: readonly string[];
}

/** A call that a value holds: an opener with a name, and a parameter or the call's closer after it. */
function nestedTagged(
  { calls, bodies, closers }: Nested,
  scanner: Scanner,
  index: number,
): readonly string[] | 'no' | 'more' {
  for (const { literal, header: read } of calls) {
    const opener = after(scanner, index, literal);
    const header = typeof opener === 'number' ? read(scanner, opener, 'tool') : opener;
    if (header === 'more') return 'more';
    if (header === 'no' || header.selfClosing || !isPlainName(header.name)) continue;
    const body = lookBody(bodies, scanner, header.end);
    if (body !== 'no') return body === 'more' ? 'more' : closers;
  }
  return 'no';
}

/**
 * Does the call end at `index`, inside a value? Its closer is there, perhaps with the closer of its section after it,
 * and then nothing, or what can be in no call.
 */
export function lookCallEnd({ form, structure, sectionClosers }: TaggedGrammar, scanner: Scanner, index: number): Look {
  const closer = lookFor(scanner, index, form.callClosers);
  if (typeof closer === 'string') return closer;
  const next = scanner.afterSpace(closer);
  if (typeof next === 'string') return next;
  if (next === scanner.text.length) return 'yes';
  const section = lookFor(scanner, next, sectionClosers);
  if (section === 'more') return 'more';
  const over = section === 'no' ? next : scanner.afterSpace(section);
  if (typeof over === 'string') return over;
  if (over === scanner.text.length) return 'yes';
  const found = structure.find(scanner.text, over, scanner.ended);
  if (typeof found === 'string') return found;
  return found.value.kind === 'end' ? 'yes' : 'no';
}

/** Does a call's body come after its header, after white space? */
export function lookBody(bodies: MarkerTrie<Structure>, scanner: Scanner, end: number): Look {
  const next = scanner.afterSpace(end);
  if (typeof next === 'string') return next;
  const found = bodies.find(scanner.text, next, scanner.ended);
  if (typeof found === 'string') return found;
  return found.value.kind === 'value-closer' ? 'no' : 'yes';
}

/** The closer of the next parameter's value is looked for this far; longer values are files and scripts. */
const nearby = 256;

/** The parameters that a value before them may have swallowed. */
export interface Awaited {
  /** Is this a declared parameter that has not come yet? */
  awaits(name: string): boolean;
  /** Does the schema require this parameter? */
  requires(name: string): boolean;
  /** Its opener is in a value, where it has more than one reading. */
  suspect(name: string): void;
}

/**
 * Does what is at `index`, inside a value, show that the value was not closed? A parameter opens there that the call still
 * awaits, on a line of its own, directly after a word or in markup that no prose holds, and its value has a closer at its place. A file about tool
 * calls holds such openers too: there other text follows the closer, and all of it is the value's. A long value is believed
 * only where the call needs it.
 */
export function opensNext(
  grammar: TaggedGrammar,
  awaited: Awaited,
  scanner: Scanner,
  { index, line, glued }: ValueEndPlace,
): Look {
  const header = parameterAt(grammar, scanner, index);
  if (typeof header === 'string') return header;
  if (header.selfClosing || !awaited.awaits(header.name)) return 'no';
  const stands =
    line || glued || grammar.form.nestedMark !== undefined || header.typed !== undefined || header.opensValue;
  const opensAgain = (next: number): Look => {
    const following = parameterAt(grammar, scanner, next);
    return typeof following === 'string' ? following : following.name === header.name ? 'yes' : 'no';
  };
  const written = { start: header.end, closer: grammar.closer(header.name), opensAgain };
  const value = stands ? lookValue(scanner, written) : 'no';
  const opens = value === 'long' ? (awaited.requires(header.name) ? 'yes' : 'no') : value;
  if (opens === 'no') awaited.suspect(header.name);
  return opens;
}

function parameterAt({ structure }: TaggedGrammar, scanner: Scanner, index: number): TagHeader | 'no' | 'more' {
  const found = structure.find(scanner.text, index, scanner.ended);
  if (found === 'more') return 'more';
  if (found === 'no' || found.value.kind !== 'parameter') return 'no';
  return found.value.header(scanner, index + found.length - found.value.spaces);
}

/** A parameter's value, from after its opener on. */
interface Value {
  readonly start: number;
  readonly closer: Closer;
  /** Does the parameter itself open at this index? */
  readonly opensAgain: (index: number) => Look;
}

/**
 * Is a value here, with a closer that counts? The parameter itself does not follow there once more: then it was
 * only mentioned. `long`: nearby there is no closer at all.
 */
export function lookValue(scanner: Scanner, { start, closer, opensAgain }: Value): Look | 'long' {
  const { text } = scanner;
  let blank = true;
  for (let index = start; index < start + nearby; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    if (index >= text.length) return 'no';
    const code = text.charCodeAt(index);
    if (closer.stops.starts.has(code) && lookFor(scanner, index, closer.literals) !== 'no') {
      const end = closes(scanner, index, closer);
      if (typeof end === 'string') return end;
      const next = scanner.afterSpace(end);
      const again = typeof next === 'string' ? next : opensAgain(next);
      if (again === 'more') return 'more';
      return blank || again === 'yes' ? 'no' : 'yes';
    }
    blank &&= isSpace(code);
  }
  return 'long';
}
