import type {
  LookSection,
  Marker,
  Open,
  OpenerMarker,
  Opening,
  SectionForm,
  SectionHeaders,
  SectionMarker,
  SectionReport,
} from '../grammar.ts';
import { AroundCalls } from './around-calls.ts';
import { MarkerTrie } from './marker-trie.ts';
import { type RepairOf, repairedClosers } from './repaired-literals.ts';

/** What is around calls. */
export interface SectionOptions {
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  /** Further markers that open sections. Default: none. */
  readonly headers?: SectionHeaders;
  /** Headers of messages to the user. Default: none. */
  readonly toUser?: readonly string[];
  /** Of the openers, those around all calls, in which each call comes after one of the inner ones. Default: none. */
  readonly nested?: { readonly outer: readonly string[]; readonly inner: readonly string[] };
  /** Calls are outside as well, so there is nothing to report where none is around one. Default false. */
  readonly optional?: boolean;
}

/** How sections of calls are read. A section's opener counts only with a call, or its closer, after it. */
export function sectionForm(options: SectionOptions): SectionForm {
  const { openers, closers, headers, toUser = [], optional = false } = options;
  return {
    openers,
    closers,
    markers: (calls, repairOf) => {
      const look = beforeOneOf([...calls.keys(), ...openers, ...closers]);
      const own = openers.map((literal) => {
        const marker: SectionMarker = { section: look, report: reportOf(options, literal, repairOf) };
        return [literal, marker] as const;
      });
      const sections = [...own, ...(headers?.(look, openers) ?? [])];
      const markers = new Map<string, Marker>(calls);
      for (const [literal, section] of sections)
        markers.set(literal, { ...opensNoCall, ...calls.get(literal), ...section });
      for (const literal of toUser) if (!markers.has(literal)) markers.set(literal, { kind: 'silent', toUser: true });
      return markers;
    },
    inside: (open, call, repairOf) => {
      const section = openers.find((opener) => call.literal.startsWith(opener));
      if (section === undefined) return openers.length === 0 || optional ? open : openIn(open, 'belongs');
      const closes = call.closers.some((closer) => closers.includes(closer));
      return closes ? open : openIn(open, reportOf(options, section, repairOf));
    },
    withHeaders: (more, messages) => sectionForm({ ...options, headers: more, toUser: messages }),
    follow: (is) => new AroundCalls(is),
  };
}

/** What opens a section, and no call by itself. */
const opensNoCall: OpenerMarker = { kind: 'opener', open: () => 'no', place: 'anywhere' };

/** Is this what may open a call, not only a section? */
export function opensCall(marker: Marker): marker is OpenerMarker {
  return marker.kind === 'opener' && marker.open !== opensNoCall.open;
}

/** What there is to report of a section that opens with this literal. */
function reportOf({ closers, nested }: SectionOptions, literal: string, repairOf: RepairOf): SectionReport {
  const { outer = [], inner = [] } = nested ?? {};
  const place = outer.includes(literal) ? 'outer' : inner.includes(literal) ? 'inner' : undefined;
  return { repair: repairOf(literal), closers: repairedClosers(literal, closers, repairOf), place };
}

function openIn(open: Open, section: Opening['section']): Open {
  return (scanner, index, length, shown) => {
    const opening = open(scanner, index, length, shown);
    return typeof opening !== 'string' && 'read' in opening ? { ...opening, section } : opening;
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
