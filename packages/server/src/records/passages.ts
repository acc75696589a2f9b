import { hash } from 'node:crypto';
import { isPlainJson } from './plain-json.ts';

/** A part of a long text, which stands once in the database however many records of its caller hold it. */
export interface Passage {
  /** Says what it holds: 132 bits of a digest. */
  readonly key: string;
  readonly bytes: Buffer;
  /** `isPlainJson` of it. */
  readonly isPlain: boolean;
  /** What came after it the last time. */
  next?: WeakRef<Passage>;
}

/** Characters of a key. */
export const keyLength = 22;

/** Shorter texts stand in their record; bytes. */
export const shortestText = 4096;

/** A shorter part is worth no row of its own; bytes. */
const shortest = 1024;

/** Stands between two values of a list, and never within a string of JSON. */
const between = Buffer.from('},{"');

/** So many bytes on both sides of such a place decide whether a passage ends there. */
const looked = { before: 16, after: 64 };

/**
 * Cuts a text where two values of a list meet, such as messages or tools, so that a history that has grown has the passages
 * that it had. Which of these places are cuts hangs only on what is around them: what comes before may change.
 */
export function passagesOf(bytes: Uint8Array): readonly Passage[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const passages: Passage[] = [];
  let last: Passage | undefined;
  for (let from = 0; from < text.length; from += last.bytes.length) {
    const usual = last?.next?.deref();
    const isUsual = usual !== undefined && isSame(usual, text, { from, to: from + usual.bytes.length });
    const passage = isUsual ? usual : latest.of(text, { from, to: cutAfter(text, from) });
    if (!isUsual && last !== undefined) last.next = new WeakRef(passage);
    passages.push(passage);
    last = passage;
  }
  return passages;
}

/** Where the passage ends that begins here. */
function cutAfter(text: Buffer, from: number): number {
  for (let at = text.indexOf(between, from + shortest); at >= 0; at = text.indexOf(between, at + 1)) {
    const end = at + '},'.length;
    if (isCut(text, end)) return end;
  }
  return text.length;
}

function isCut(text: Uint8Array, at: number): boolean {
  const end = Math.min(at + looked.after, text.length);
  let sum = 0;
  for (let place = at - looked.before; place < end; place += 1) sum = (sum * 31 + (text[place] ?? 0)) | 0;
  return ((sum >>> 8) & 1) === 0;
}

/** A part of a text, in bytes. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Passages, found again by what they hold: comparing bytes costs a tenth of a digest of them. Of two generations the younger one
 * is what was asked for last.
 */
class LatestPassages {
  /** Bytes of either generation at most. */
  readonly #most: number;
  /** By some of their bytes; those that have them in common, the latest first. */
  #young = new Map<number, readonly Passage[]>();
  #old = new Map<number, readonly Passage[]>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  of(text: Buffer, range: Range): Passage {
    const sample = sampleOf(text, range);
    const young = this.#young.get(sample) ?? [];
    const isIt = (passage: Passage) => isSame(passage, text, range);
    const known = young.find(isIt);
    if (known !== undefined) return known;
    const passage = this.#old.get(sample)?.find(isIt) ?? made(text, range);
    const { length } = passage.bytes;
    this.#size += length;
    if (this.#size > this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = length;
    }
    this.#young.set(sample, [passage, ...young.slice(0, mostAlike - 1)]);
    return passage;
  }
}

/** So many are compared. */
const mostAlike = 16;

const latest = new LatestPassages(4 * 1024 * 1024);

/** A copy: a part would keep the whole text. */
function made(text: Buffer, { from, to }: Range): Passage {
  const bytes = Buffer.from(text.subarray(from, to));
  return { key: hash('sha256', bytes, 'base64url').slice(0, keyLength), bytes, isPlain: isPlainJson(bytes) };
}

function isSame({ bytes }: Passage, text: Buffer, { from, to }: Range): boolean {
  return to <= text.length && bytes.length === to - from && bytes.compare(text, from, to) === 0;
}

/** Bytes at so many places tell most passages apart. */
const sampled = 16;

function sampleOf(text: Buffer, { from, to }: Range): number {
  let sum = to - from;
  const step = (to - from) / sampled;
  for (let place = 0; place < sampled; place += 1) sum = (sum * 31 + (text[from + Math.floor(place * step)] ?? 0)) | 0;
  return sum;
}

/** What is remembered at most: some megabytes. */
const most = { passages: 20_000, packed: 16 * 1024 * 1024 };

/** So many of the oldest are forgotten at once: each look for the oldest walks over all that has gone from the map. */
const forgottenAtOnce = 4_000;

interface Known {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** What is on its way into the database; absent once it is there. */
  packed?: Uint8Array | undefined;
}

/** Which passages have been looked through and packed: they are in the database, or on their way there with a record. */
export class KnownPassages {
  readonly #options: { readonly renewedAfter: number; readonly now: () => number };
  /** By key, the oldest first, of each owner; whoever's were written last is the last. */
  readonly #known = new Map<string, Map<string, Known>>();
  #count = 0;
  #packed = 0;
  #secrets: unknown;

  /**
   * `renewedAfter`: milliseconds after which a passage counts as new, so that it is written again and the database knows that it
   * is still used. `now`: milliseconds since 1970.
   */
  constructor(options: { readonly renewedAfter: number; readonly now: () => number }) {
    this.#options = options;
  }

  /** What is known may hold what is a secret now: all is forgotten when these are not the secrets of the last time. */
  looksFor(secrets: unknown): void {
    if (secrets !== this.#secrets) this.clear();
    this.#secrets = secrets;
  }

  get(owner: string, key: string): Known | undefined {
    const known = this.#known.get(owner)?.get(key);
    const { renewedAfter, now } = this.#options;
    return known === undefined || now() - known.since >= renewedAfter ? undefined : known;
  }

  /** It is on its way. */
  add(owner: string, key: string, packed: Uint8Array): void {
    if (this.#packed + packed.length > most.packed) return;
    this.#set(owner, key, { since: this.#options.now(), packed });
  }

  /** They are in the database. */
  written(owner: string, keys: Iterable<string>): void {
    for (const key of keys) {
      const known = this.#known.get(owner)?.get(key);
      this.#packed -= known?.packed?.length ?? 0;
      if (known !== undefined) known.packed = undefined;
    }
  }

  clear(): void {
    this.#known.clear();
    this.#count = 0;
    this.#packed = 0;
  }

  #set(owner: string, key: string, known: Known): void {
    this.#remove(owner, key);
    const own = this.#known.get(owner) ?? new Map<string, Known>();
    own.set(key, known);
    this.#known.delete(owner);
    this.#known.set(owner, own);
    this.#count += 1;
    this.#packed += known.packed?.length ?? 0;
    if (this.#count > most.passages) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [owner, own] of this.#known) {
      for (const key of own.keys()) {
        this.#remove(owner, key);
        if (this.#count <= most.passages - forgottenAtOnce) return;
      }
    }
  }

  #remove(owner: string, key: string): void {
    const own = this.#known.get(owner);
    const known = own?.get(key);
    if (own === undefined || known === undefined) return;
    own.delete(key);
    if (own.size === 0) this.#known.delete(owner);
    this.#count -= 1;
    this.#packed -= known.packed?.length ?? 0;
  }
}
