import { beforeOneOf, firstFound } from './form-markers.ts';
import type { Counts, Grammar, LookSection, Marker, Meaning, Open, Place } from './grammar.ts';
import { MarkerTrie } from './marker-trie.ts';

/** The markers of one dialect: `of` names a neighbour; absent: the dialect's own. */
export interface Reading {
  readonly of?: string;
  readonly markers: ReadonlyMap<string, Marker>;
}

interface MergeOptions {
  readonly takes: Grammar['takes'];
  /** ASCII letters of markers match in either case. */
  readonly fold: boolean;
}

/** What a literal means in one of the readings. */
interface Claim {
  readonly reading: Reading;
  readonly literal: string;
  readonly marker: Marker;
}

interface MeaningOptions {
  readonly takes: Grammar['takes'];
  /** Where a call in any of the readings stands behind a tag, that tag is around it. */
  readonly wraps: LookSection | undefined;
}

/**
 * One table of the markers of several dialects, the own one first. Where a marker of one dialect goes on as a longer one of
 * another, the longer literal has both meanings, each with its own length.
 */
export function mergeMarkers(
  readings: readonly Reading[],
  { takes, fold }: MergeOptions,
): MarkerTrie<readonly Meaning[]> {
  const merged = new MarkerTrie<readonly Meaning[]>([], { fold });
  const claims = new Map<string, Claim[]>();
  for (const reading of readings) {
    for (const [literal, marker] of reading.markers) {
      const all = claims.get(literal);
      if (all === undefined) claims.set(literal, [{ reading, literal, marker }]);
      else all.push({ reading, literal, marker });
    }
  }
  const wraps = readings.length > 1 ? beforeOneOf(openersIn(claims)) : undefined;
  const rank = new Map(readings.map((reading, at) => [reading, at]));
  for (const literal of claims.keys()) {
    const standing = longestClaims(literal, claims);
    standing.sort((one, other) => (rank.get(one.reading) ?? 0) - (rank.get(other.reading) ?? 0));
    merged.add(literal, meaningsOf(standing, { takes, wraps }));
  }
  return merged;
}

/** Of each reading, the longest of its markers that `literal` begins with. */
function longestClaims(literal: string, claims: ReadonlyMap<string, readonly Claim[]>): Claim[] {
  const longest = new Map<Reading, Claim>();
  for (let length = literal.length; length > 0; length -= 1) {
    for (const claim of claims.get(literal.slice(0, length)) ?? []) {
      if (!longest.has(claim.reading)) longest.set(claim.reading, claim);
    }
  }
  return [...longest.values()];
}

/** What counts always hides what would come behind it. */
function meaningsOf(claims: readonly Claim[], options: MeaningOptions): readonly Meaning[] {
  const meanings: Meaning[] = [];
  for (const claim of claims) {
    const meaning = isOpener(claim.marker) ? openerOf(claims, options) : meaningOf(claim, options);
    meanings.push(meaning);
    if (meaning.counts === 'always') break;
  }
  return meanings;
}

function isOpener({ kind }: Marker): boolean {
  return kind === 'opener' || kind === 'section';
}

/** All that opens calls or sections is one meaning. A neighbour that looks for its calls at another place is not asked. */
function openerOf(claims: readonly Claim[], { wraps }: MeaningOptions): Meaning {
  const openers = claims.filter(({ marker }) => isOpener(marker));
  const [first] = openers;
  const place = placeOf(openers);
  const opens: Open[] = [];
  const sections: LookSection[] = [];
  for (const { reading, literal, marker } of openers) {
    const length = literal.length;
    const look = marker.kind === 'section' ? marker.look : marker.kind === 'opener' ? marker.section : undefined;
    if (look !== undefined) sections.push((scanner, index) => look(scanner, index, length));
    if (marker.kind !== 'opener' || marker.place !== place) continue;
    opens.push(openIn(reading, marker.open, length));
    if (wraps !== undefined && isTag(literal)) sections.push((scanner, index) => wraps(scanner, index, length));
  }
  const section = sections.length === 0 ? {} : { section: firstFound(sections) };
  const marker: Marker = { kind: 'opener', open: firstFound(opens), place, ...section };
  return { marker, length: first?.literal.length ?? 0, counts: 'always' };
}

function placeOf(openers: readonly Claim[]): Place {
  for (const { marker } of openers) if (marker.kind === 'opener') return marker.place;
  return 'anywhere';
}

/** Whose call it is shows in what opens. */
function openIn({ of }: Reading, open: Open, length: number): Open {
  if (of === undefined) return (scanner, index) => open(scanner, index, length);
  return (scanner, index) => {
    const opening = open(scanner, index, length);
    return typeof opening === 'string' ? opening : { ...opening, of };
  };
}

function meaningOf({ reading: { of }, literal, marker }: Claim, { takes, wraps }: MeaningOptions): Meaning {
  const counts = of === undefined && takes === 'everything' ? 'always' : foreignCounts(marker, literal, takes);
  const wrapped = wraps !== undefined && marker.kind === 'closer' && marker.of === 'call';
  return {
    marker: wrapped ? { kind: 'closer', of: 'section-or-call' } : marker,
    length: literal.length,
    counts,
    ...(of === undefined ? {} : { of }),
  };
}

/**
 * When a marker counts that is not the dialect's own. Tokens in `<|…|>` are written by models alone; tags and words also
 * stand in prose, and a word that began reasoning there would hide an answer.
 */
function foreignCounts({ kind }: Marker, literal: string, takes: Grammar['takes']): Counts {
  if (kind === 'reasoning') return startsLikeWord(literal) ? 'shown' : 'always';
  if (takes === 'calls' || !isToken(literal)) return 'shown';
  if (kind === 'turn-end' || kind === 'reasoning-closer') return 'always';
  return kind === 'silent' ? 'edge' : 'shown';
}

function isToken(literal: string): boolean {
  return ['<|', '<｜'].some((start) => literal.startsWith(start)) && literal.endsWith('>');
}

function isTag(literal: string): boolean {
  return literal.startsWith('<');
}

function startsLikeWord(literal: string): boolean {
  const [first = ''] = literal;
  return first.toLowerCase() !== first.toUpperCase();
}

/** The literals that open a call wherever they stand. */
function* openersIn(claims: ReadonlyMap<string, readonly Claim[]>): Generator<string> {
  for (const [literal, all] of claims) {
    if (all.some(({ marker }) => marker.kind === 'opener' && marker.place === 'anywhere')) yield literal;
  }
}
