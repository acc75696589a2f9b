import type { Warning } from '../../chat/warning.ts';
import { isSpace } from '../../json/json-characters.ts';
import type { Dialect, ParseContext } from '../dialect.ts';
import { repairs } from '../parser/call-warnings.ts';
import { formMarkers } from '../parser/markers/form-markers.ts';
import { MarkerTrie } from '../parser/markers/marker-trie.ts';
import { dialects } from '../registry.ts';
import { asDialect } from '../render/render-table.ts';
import type { TableParser } from '../table/table-dialect.ts';
import { commonestFirst } from './read-any.ts';

/** A call that a dialect finds in a reply: its offsets, in UTF-16 units, and its tool. */
export interface FoundCall {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** The whole calls that this dialect would deliver of a reply. */
export function findCalls(text: string, dialect: Dialect, context: ParseContext): readonly FoundCall[] {
  return reading(text, dialect, context).calls.map(({ from, to, name }) => ({ from, to, name }));
}

/** What a reply is recognised in. */
export interface RecognitionContext extends ParseContext {
  /** Dialects beside the built-in ones. Where one of them fits as well as a built-in one, it counts. Default: none. */
  readonly own?: readonly (Dialect | TableParser)[];
}

/**
 * The dialect that a reply is written in: the one that finds the most calls in it, whether or not their tools are
 * declared, and where none finds a whole one, the most that broke off; of those the one with the fewest warnings and the
 * least text beside them, and then the one that would write the first call most nearly so. Undefined where none finds a call.
 */
export function recogniseDialect(text: string, { own = [], ...context }: RecognitionContext): Dialect | undefined {
  const forwarding: ParseContext = { ...context, policy: { ...context.policy, undeclared: 'forward' } };
  // The commonest counts where several dialects fit equally well.
  const found = withOpenersIn(text, [...own.map(asDialect), ...commonestFirst(dialects)], forwarding)
    .map((dialect) => ({ dialect, ...reading(text, dialect, forwarding) }))
    .filter(({ calls, begun }) => calls.length + begun.length > 0);
  const fitting = greatest(found, ({ calls, begun, warnings, length }) => [
    calls.length,
    begun.length,
    -warnings,
    -length,
  ]);
  if (fitting.length < 2) return fitting[0]?.dialect;
  const [best] = greatest(fitting, ({ dialect, calls: [call], begun: [first] }) => [
    likenessOf(text, { dialect, call: call ?? first, context }),
  ]);
  return best?.dialect;
}

/** Those for which these numbers are the greatest, the first ones counting most. */
function greatest<Item>(items: readonly Item[], rank: (item: Item) => readonly number[]): readonly Item[] {
  const ranked = items.map((item) => ({ item, fit: rank(item) }));
  const best = ranked.reduce<readonly number[]>((most, { fit }) => (isGreater(fit, most) ? fit : most), []);
  return ranked.filter(({ fit }) => !isGreater(best, fit)).map(({ item }) => item);
}

/** By the first number that differs; nothing is less than any number. */
function isGreater(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? Number.NEGATIVE_INFINITY);
}

/** So much of a call is compared, and so much before it, where what opens a section of calls may stand. */
const compared = 256;

/** How much of a call, from what opens it on, is in the text as the dialect would write it, white space aside. */
function likenessOf(
  text: string,
  options: { readonly dialect: Dialect; readonly call: ReadCall | undefined; readonly context: ParseContext },
): number {
  const { dialect, call, context } = options;
  if (call === undefined) return 0;
  const past = { callId: 'call', name: call.name, arguments: call.arguments, ordinal: 0 };
  const rendered = dialect.renderCalls([past], context.tools).slice(0, compared * 4);
  const own = withoutSpace(rendered).slice(0, compared);
  const written = withoutSpace(text.slice(Math.max(0, call.from - compared), call.from + compared));
  let length = 0;
  while (length < own.length && written.includes(own.slice(0, length + 1))) length += 1;
  return length;
}

function withoutSpace(text: string): string {
  return [...text].filter((character) => !isSpace(character.charCodeAt(0))).join('');
}

interface ReadCall extends FoundCall {
  /** JSON text. */
  readonly arguments: string;
}

interface Reading {
  readonly calls: readonly ReadCall[];
  /** Calls that broke off, without arguments. */
  readonly begun: readonly ReadCall[];
  /** What speaks against the dialect. */
  readonly warnings: number;
  /** How much is delivered beside the calls. */
  readonly length: number;
}

function reading(text: string, dialect: Dialect, context: ParseContext): Reading {
  const calls: ReadCall[] = [];
  const begun: ReadCall[] = [];
  let warnings = 0;
  let length = 0;
  let open = { name: '', slices: [''] };
  let isWhole = false;
  let isCut = false;
  const range = (from: number, to: number): void => {
    if (isWhole) calls.push({ from, to, name: open.name, arguments: open.slices.join('') });
    if (isCut) begun.push({ from, to, name: open.name, arguments: '{}' });
    isWhole = false;
    isCut = false;
  };
  const parser = dialect.createParser({ ...context, watch: { range, noticed: () => {} } })((span) => {
    if (span.kind === 'call-cut') isCut = true;
    if (span.kind === 'warning') warnings += saysNothing(span.warning) ? 0 : 1;
    else if (span.kind === 'text' || span.kind === 'call-cut') length += span.text.length;
    else if (span.kind === 'call') open = { name: span.name, slices: [] };
    else if (span.kind === 'arguments') open.slices.push(span.text);
    else if (span.kind === 'call-end') isWhole = true;
  });
  parser.push(text);
  parser.end();
  return { calls, begun, warnings, length };
}

/** A reply may stop short or go on too long in any dialect, and only some of them ask for an end or know what is made up. */
function saysNothing({ code, message }: Warning): boolean {
  return code === 'result-fabricated' || code === 'call-cut' || message === repairs.closer;
}

/**
 * Those of the dialects that could find a call in this text, in their order: something that opens a call of theirs stands
 * in it. One look at the text for all of them. A dialect with a parser of its own is always one of them.
 */
export function withOpenersIn(text: string, dialects: readonly Dialect[], context: ParseContext): readonly Dialect[] {
  const openers = openersOf(dialects, context);
  const possible = new Set(dialects.filter(({ grammar }) => grammar === undefined));
  const { starts } = openers;
  for (let at = starts.find(text, 0); at < text.length; at = starts.find(text, at + 1)) {
    if (possible.size === dialects.length) break;
    const found = openers.find(text, at, true);
    if (typeof found === 'string') continue;
    for (const dialect of found.value) possible.add(dialect);
    found.value.clear();
  }
  return dialects.filter((dialect) => possible.has(dialect));
}

/** What opens calls, with those that it opens calls of: the letter case of some does not matter, here that of none does. */
function openersOf(dialects: readonly Dialect[], context: ParseContext): MarkerTrie<Set<Dialect>> {
  const byLiteral = new Map<string, Set<Dialect>>();
  for (const dialect of dialects) {
    const form = dialect.grammar?.(context);
    for (const [literal, { kind }] of form === undefined ? [] : formMarkers(form)) {
      if (kind !== 'opener') continue;
      const key = literal.toLowerCase();
      const known = byLiteral.get(key);
      if (known === undefined) byLiteral.set(key, new Set([dialect]));
      else known.add(dialect);
    }
  }
  const entries = [...byLiteral].map(([literal]) => [literal, beginningsOf(literal, byLiteral)] as const);
  return new MarkerTrie(entries, { fold: true });
}

/** Where a literal stands, those stand, too, that it begins with. */
function beginningsOf(literal: string, byLiteral: ReadonlyMap<string, ReadonlySet<Dialect>>): Set<Dialect> {
  const all = new Set<Dialect>();
  for (let length = 1; length <= literal.length; length += 1) {
    for (const dialect of byLiteral.get(literal.slice(0, length)) ?? []) all.add(dialect);
  }
  return all;
}
