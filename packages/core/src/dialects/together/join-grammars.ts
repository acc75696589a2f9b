import { besideMarkers } from '../parser/create-grammar.ts';
import { findMention, Mentions } from '../parser/documentation/mention.ts';
import type {
  Counts,
  Grammar,
  GrammarForm,
  LookSection,
  Marker,
  MarkerPlace,
  Meaning,
  Meanings,
  Open,
  OpenerMarker,
  Opening,
  SectionReport,
} from '../parser/grammar.ts';
import { formMarkers } from '../parser/markers/form-markers.ts';
import { MarkerTrie } from '../parser/markers/marker-trie.ts';
import { beforeOneOf, opensCall } from '../parser/markers/sections.ts';
import { afterLiteral, anySuffix, type Scanner } from '../parser/scanner.ts';

/** A further dialect whose calls are read beside a dialect's own. */
interface Neighbour {
  readonly id: string;
  readonly form: GrammarForm;
}

/** What a grammar is made of beside the dialect's own form. */
export interface JointOptions {
  /** In the order in which they are asked where several write calls after one literal. */
  readonly neighbours: readonly Neighbour[];
  /** Default `everything`. */
  readonly takes?: Grammar['takes'];
}

/**
 * Makes the table of markers of a dialect and of its neighbours. Where a literal has several meanings, the dialect's own
 * count first, and of openers the first one that finds a call. What opens a call counts in every form; what is around
 * calls in a neighbour's form means nothing before the reply has shown that it is written in that form. Names, letter case
 * and tags of answers are always the dialect's own. Reasoning that a prompt has opened ends with the closer of any form.
 */
export function joinGrammars(form: GrammarForm, { neighbours, takes = 'everything' }: JointOptions): Grammar {
  const readings = [
    { markers: formMarkers(form) },
    ...neighbours.map((neighbour) => ({ of: neighbour.id, markers: formMarkers(neighbour.form) })),
  ];
  return {
    ...besideMarkers([form, ...neighbours.map((neighbour) => neighbour.form)]),
    markers: mergeMarkers(readings, { takes, fold: form.fold ?? false }),
    firstSections: mergeFirst(readings),
    takes,
    // Where calls have another place than the text, one that was meant stands apart; another model has no other place for
    // it, and nobody knows yet whether a quotation will be closed after it.
    ...(takes === 'calls' && { mentions: () => new Mentions(findMention) }),
  };
}

/** The markers of one dialect: `of` names a neighbour; absent: the dialect's own. */
interface Reading {
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
  /** What one dialect puts around its calls, models put around those of another: there a call of any reading may stand. */
  readonly wraps: LookSection | undefined;
}

/**
 * One table of the markers of several dialects, the own one first. Where a marker of one dialect goes on as a longer one of
 * another, the longer literal has both meanings, each with its own length.
 */
function mergeMarkers(readings: readonly Reading[], { takes, fold }: MergeOptions): MarkerTrie<Meanings> {
  const merged = new MarkerTrie<Meanings>([], { fold });
  const claims = new Map<string, Claim[]>();
  for (const reading of readings) {
    for (const [literal, marker] of reading.markers) {
      if (isFirst(marker) || (takes === 'calls' && !standsApart(literal, marker))) continue;
      const all = claims.get(literal);
      if (all === undefined) claims.set(literal, [{ reading, literal, marker }]);
      else all.push({ reading, literal, marker });
    }
  }
  const wraps = readings.length > 1 ? beforeOneOf(openersIn(claims)) : undefined;
  const rank = new Map(readings.map((reading, at) => [reading, at]));
  // The dialect's own come first, then the longest, then those of the neighbours that are first.
  const order = ({ reading, literal }: Claim) =>
    reading.of === undefined ? Number.NEGATIVE_INFINITY : (rank.get(reading) ?? 0) - literal.length * readings.length;
  const meanings = (literal: string) => {
    const standing = longestClaims(literal, claims);
    standing.sort((one, other) => (order(one) < order(other) ? -1 : 1));
    return meaningsOf(literal, standing, { takes, wraps });
  };
  for (const literal of claims.keys()) {
    let known: readonly Meaning[] | undefined;
    merged.add(literal, () => {
      known ??= meanings(literal);
      return known;
    });
  }
  return merged;
}

/** What opens sections only at the start of a reply, in the order of the readings. */
function mergeFirst(readings: readonly Reading[]): MarkerTrie<readonly Meaning[]> {
  const merged = new Map<string, Meaning[]>();
  for (const { of, markers } of readings) {
    for (const [literal, marker] of markers) {
      if (!isFirst(marker)) continue;
      const meaning: Meaning = { marker, counts: 'always', ...(of === undefined ? {} : { of }) };
      merged.set(literal, [...(merged.get(literal) ?? []), meaning]);
    }
  }
  return new MarkerTrie(merged);
}

function isFirst(marker: Marker): boolean {
  return marker.kind === 'opener' && marker.first === true;
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

/** What counts always, and takes all of the literal, hides what would come after it. */
function meaningsOf(literal: string, claims: readonly Claim[], options: MeaningOptions): readonly Meaning[] {
  const meanings: Meaning[] = [];
  const opener = claims.find(({ marker }) => isOpener(marker));
  for (const claim of claims) {
    if (isOpener(claim.marker) && claim !== opener) continue;
    const taken = claim.literal === literal ? {} : { length: claim.literal.length };
    const meaning = { ...(claim === opener ? openerOf(claims, options) : meaningOf(claim, options)), ...taken };
    meanings.push(meaning);
    if (meaning.counts === 'always' && meaning.length === undefined) break;
  }
  return meanings;
}

function isOpener(marker: Marker): marker is OpenerMarker {
  return marker.kind === 'opener';
}

/** All that opens calls or sections is one meaning. A neighbour that looks for its calls at another place is not asked. */
function openerOf(claims: readonly Claim[], { wraps }: MeaningOptions): Meaning {
  const openers = claims.filter(({ marker }) => isOpener(marker));
  const place = placeOf(openers);
  const sections = openers.flatMap(sectionsOf);
  const around = wraps === undefined ? [] : sections.map(({ literal }) => wrapped(wraps, literal));
  const looks = [...sections.map(({ look, literal }) => wrapped(look, literal)), ...around];
  const marker: Marker = {
    kind: 'opener',
    open: afterSections(openFirst(openers.flatMap((claim) => candidateAt(place, claim))), longerSections(openers)),
    place,
    ...(looks.length === 0 ? {} : { section: firstFound(looks), report: reportOf(sections), shows: showsOf(sections) }),
  };
  return { marker, counts: 'always' };
}

/** What the first of these looks finds that does not say no. */
function firstFound(looks: readonly LookSection[]): LookSection {
  return (scanner, index, length) => {
    for (const look of looks) {
      const found = look(scanner, index, length);
      if (found !== 'no') return found;
    }
    return 'no';
  };
}

/** Sections whose literal goes on where that of every call ends. */
function longerSections(claims: readonly Claim[]): readonly LookSection[] {
  const lengths = claims.map(({ literal, marker }) => (opensCall(marker) ? literal.length : 0));
  const longest = Math.max(...lengths);
  const sections = claims.flatMap(sectionsOf).filter(({ literal }) => longest > 0 && literal.length > longest);
  return sections.map(({ look, literal }) => wrapped(look, literal));
}

/** Where one of these sections opens before a call of its own, the header of another dialect's call is none. */
function afterSections(open: Open, sections: readonly LookSection[]): Open {
  if (sections.length === 0) return open;
  const look = firstFound(sections);
  return (scanner, index, length, shown) => {
    const section = look(scanner, index, length);
    if (section === 'no') return open(scanner, index, length, shown);
    return section === 'more' ? 'more' : 'no';
  };
}

function placeOf(openers: readonly Claim[]): MarkerPlace {
  for (const { marker } of openers) if (opensCall(marker)) return marker.place;
  return 'anywhere';
}

interface Section {
  readonly of: string | undefined;
  readonly look: LookSection;
  readonly literal: string;
  readonly report: SectionReport | undefined;
}

function sectionsOf({ reading: { of }, literal, marker }: Claim): readonly Section[] {
  if (!isOpener(marker) || marker.section === undefined) return [];
  return [{ of, look: marker.section, literal, report: marker.report }];
}

/** Only what all of them would report. */
function reportOf(sections: readonly Section[]): SectionReport {
  const [first, ...others] = sections.map(({ report }) => report);
  const reports = (literal: string, report: SectionReport | undefined) =>
    report?.closers.some(([closer]) => closer === literal) ?? false;
  return {
    repair: others.every((report) => report?.repair !== undefined) ? first?.repair : undefined,
    closers: first?.closers.filter(([literal]) => others.every((report) => reports(literal, report))) ?? [],
    place: others.every((report) => report?.place === first?.place) ? first?.place : undefined,
  };
}

function wrapped(look: LookSection, literal: string): LookSection {
  return (scanner, index) => look(scanner, index, lengthAt(scanner, index, literal));
}

/** How much of the text is the literal, which is there. */
function lengthAt({ text }: Scanner, index: number, literal: string): number {
  const end = literal.includes(anySuffix) ? afterLiteral(text, index, literal) : index + literal.length;
  return typeof end === 'number' ? end - index : 0;
}

/** A section that the dialect itself knows shows nothing of its neighbours. */
function showsOf(sections: readonly Section[]): readonly string[] {
  if (sections.some(({ of }) => of === undefined)) return [];
  return sections.flatMap(({ of }) => of ?? []);
}

interface Candidate {
  readonly of: string | undefined;
  readonly open: Open;
  readonly literal: string;
}

function candidateAt(place: MarkerPlace, { reading: { of }, literal, marker }: Claim): readonly Candidate[] {
  if (!opensCall(marker) || marker.place !== place) return [];
  return [{ of, open: marker.open, literal }];
}

/** The first that finds a call; a neighbour in whose form the reply is written is asked before the other neighbours. */
function openFirst(candidates: readonly Candidate[]): Open {
  const [only] = candidates;
  if (only !== undefined && only.of === undefined && candidates.length === 1) return only.open;
  return (scanner, index, _, shown) => {
    const asked = inOrder(candidates, shown);
    for (const [at, { of, open, literal }] of asked.entries()) {
      const length = lengthAt(scanner, index, literal);
      const opening = open(scanner, index, length, shown);
      if (opening === 'no') continue;
      if (typeof opening === 'string' || of === undefined) return opening;
      if (!('read' in opening) || isWhole(opening)) return { ...opening, of, length };
      const whole = findWhole(asked.slice(at + 1), { scanner, index, shown });
      if (whole === 'more') return 'more';
      return { ...opening, of, length, ...(whole && { section: undefined, repairs: [] }) };
    }
    return 'no';
  };
}

/** Nothing is wrong with the call, wherever it stands. */
function isWhole({ section, repairs = [] }: Opening): boolean {
  return section !== 'belongs' && repairs.length === 0;
}

/** Nothing was wrong with what one neighbour's form lacks something of, where that of another would lack nothing. */
function findWhole(
  candidates: readonly Candidate[],
  { scanner, index, shown }: { readonly scanner: Scanner; readonly index: number; readonly shown: ReadonlySet<string> },
): boolean | 'more' {
  for (const { open, literal } of candidates) {
    const opening = open(scanner, index, lengthAt(scanner, index, literal), shown);
    if (opening === 'more') return 'more';
    if (opening !== 'no' && 'read' in opening && isWhole(opening)) return true;
  }
  return false;
}

function inOrder(candidates: readonly Candidate[], shown: ReadonlySet<string>): readonly Candidate[] {
  if (shown.size === 0 || candidates.length === 1) return candidates;
  const isFirst = ({ of }: Candidate) => of === undefined || shown.has(of);
  return [...candidates.filter(isFirst), ...candidates.filter((candidate) => !isFirst(candidate))];
}

function meaningOf({ reading: { of }, literal, marker }: Claim, { takes, wraps }: MeaningOptions): Meaning {
  const counts = of === undefined && takes === 'everything' ? 'always' : foreignCounts(marker, literal, takes);
  const wrapped = wraps !== undefined && marker.kind === 'closer' && marker.of === 'call';
  return {
    marker: wrapped ? { kind: 'closer', of: 'call-or-section' } : marker,
    counts,
    ...(of === undefined ? {} : { of }),
  };
}

/**
 * Where only calls are taken out of a text, only what stands apart from all prose counts: a marker that begins with a letter
 * would hold back the end of every other delta.
 */
function standsApart([first = '']: string, marker: Marker): boolean {
  return first.toLowerCase() === first.toUpperCase() && (marker.kind !== 'opener' || marker.place === 'anywhere');
}

/** The literals that open a call wherever they stand. */
function* openersIn(claims: ReadonlyMap<string, readonly Claim[]>): Generator<string> {
  for (const [literal, all] of claims) {
    if (all.some(({ marker }) => opensCall(marker) && marker.place === 'anywhere')) yield literal;
  }
}

/**
 * When a marker counts that is not the dialect's own. Tokens in `<|…|>`, and headers that end in one, are written by models
 * alone; tags and words also are in prose, and a word that began reasoning there would hide an answer.
 */
function foreignCounts({ kind }: Marker, literal: string, takes: Grammar['takes']): Counts {
  if (kind === 'reasoning') return startsLikeWord(literal) ? 'shown' : 'always';
  if (!endsInToken(literal)) return 'shown';
  // It is text, too, where text follows.
  if (kind === 'turn-end') return 'always';
  if (takes === 'calls') return 'shown';
  if (kind === 'reasoning-closer') return 'always';
  return kind === 'silent' ? 'edge' : 'shown';
}

function endsInToken(literal: string): boolean {
  return ['<|', '<｜'].some((start) => literal.includes(start)) && literal.endsWith('>');
}

function startsLikeWord(literal: string): boolean {
  const [first = ''] = literal;
  return first.toLowerCase() !== first.toUpperCase() && !literal.includes('<|');
}
