import { hexDigestOf } from '../chat/digest.ts';
import type { Answered, Input } from './turns.ts';

/**
 * What a history is known by, up to one of its answers.
 *
 * - `exact`: everything that was said, as it was said; `bare` where nothing is taken out
 * - `bare`: the same without the blocks that clients add by themselves and write anew
 * - `proven`: the same, and the ids of all calls: no two conversations share those
 */
export interface Link {
  readonly exact: string;
  readonly bare: string;
  readonly proven: string;
  /** One of the ids is long enough to be nobody else's. */
  readonly hasProof: boolean;
  readonly hasCalls: boolean;
  /** How many characters the answers have together. */
  readonly answered: number;
}

/** An input, and what was answered to it. */
export interface LinkedStep {
  readonly input: Input;
  readonly answer: Answered;
}

/** Shorter ids count something, and others may count the same. */
const shortestProof = 20;

const none = { hasProof: false, hasCalls: false, answered: 0 };

/** The beginning, before anything was said. `salt` keeps apart what must never meet: upstreams, models. */
export function firstLink(salt: readonly string[]): Link {
  const name = JSON.stringify(salt);
  const link = firsts.get(name) ?? makeFirst(salt);
  if (firsts.size >= mostFirsts) firsts.clear();
  firsts.set(name, link);
  return link;
}

/** By their salts: as many as there are callers and models. */
const firsts = new Map<string, Link>();
const mostFirsts = 1_000;

function makeFirst(salt: readonly string[]): Link {
  const keyed = (kind: string) => keyOf([kind, ...salt]);
  return { exact: keyed('exact'), bare: keyed('bare'), proven: keyed('proven'), ...none };
}

/** The link after an answer: it hangs on all that was said before. */
export function nextLink(before: Link, step: LinkedStep): Link {
  return steps.after(before, step);
}

function makeLink(before: Link, { input, answer }: LinkedStep): Link {
  const loose = looseKeys(before, { input, answer });
  const { said, words } = input;
  return {
    exact: said === words ? loose.bare : keyOf([before.exact, keyedResults(input), said, answer.text, answer.calls]),
    ...loose,
    hasProof: before.hasProof || answer.callIds.some(({ length }) => length >= shortestProof),
    hasCalls: before.hasCalls || answer.calls.length > 0,
    answered: before.answered + answer.text.length,
  };
}

/** Under which keys the points may be that a history goes on from, the best first. */
export function keysOf(last: Link): readonly string[] {
  return [...(last.hasProof ? [last.proven] : []), last.exact, last.bare, shortenedKey(last)];
}

/**
 * All keys under which a client may come back to a new point, beside the plain one. Some clients drop the text that stands
 * beside calls. Front ends show a constant block at the end of the newest message only, so in the history the message may
 * lack its last part, or have only its first.
 */
export function keysAfter(before: Link, { input, answer }: LinkedStep): readonly string[] {
  const link = nextLink(before, { input, answer });
  const answers = answer.calls.length === 0 ? [answer] : [answer, { ...answer, text: '' }];
  const fewer = [input.words.slice(0, -1), input.words.slice(0, 1)].filter(
    (words) => words.length > 0 && words.length < input.words.length,
  );
  const keys = answers.flatMap((each) => {
    const { proven, bare } = each === answer ? link : looseKeys(before, { input, answer: each });
    const shortened = fewer.map((words) => looseKeys(before, { input: { ...input, words }, answer: each }));
    return [
      ...(link.hasProof ? [proven] : []),
      bare,
      ...shortened.flatMap((other) => [other.proven, shortenedKey(other)]),
    ];
  });
  return [...new Set([link.exact, ...keys])];
}

/** The key of points whose last message had more parts than the history shows. */
export function shortenedKey({ bare }: Pick<Link, 'bare'>): string {
  return keyOf(['shortened', bare]);
}

function looseKeys(before: Link, { input, answer }: LinkedStep): Pick<Link, 'bare' | 'proven'> {
  const step = [keyedResults(input), input.words, answer.text, answer.calls];
  return { bare: keyOf([before.bare, ...step]), proven: keyOf([before.proven, ...step, answer.callIds]) };
}

/** A result of nothing is another key than none. */
function keyedResults({ results }: Input): readonly string[] {
  return results.map((result) => (result === undefined ? '' : `=${result}`));
}

/** The key of an answer alone, whatever was said before it. */
export function answerKey(salt: readonly string[], answer: Answered): string {
  return keyOf(['answer', ...salt, answer.text, answer.calls]);
}

/** The key under which a point is found by the one that it follows. */
export function afterKey(pointId: string): string {
  return `behind ${pointId}`;
}

type Said = string | readonly string[];

/** Of long texts their digests stand in it: a text stands in several keys, and agents send their whole history each time. */
function keyOf(parts: readonly Said[]): string {
  return digest(JSON.stringify(parts.map((part) => (typeof part === 'string' ? brief(part) : part.map(brief)))));
}

/** Shorter texts stand for themselves. */
const shortestBriefed = 64;

/** No short text is the same as what stands for a long one. */
function brief(text: string): string {
  return text.length < shortestBriefed ? text : `${digests.of(text)} of a long text`.padEnd(shortestBriefed);
}

/** The length beside the digest makes two texts with one digest rarer still. */
function digest(text: string): string {
  return `${hexDigestOf(text)}${text.length.toString(36)}`;
}

/** Digests of texts, found again by their content: of the texts that were asked for last. */
class Digests {
  /** Characters of either generation at most. */
  readonly #most: number;
  #young = new Map<string, string>();
  #old = new Map<string, string>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  of(text: string): string {
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    const made = this.#old.get(text) ?? digest(text);
    this.#size += text.length;
    if (this.#size > this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = text.length;
    }
    this.#young.set(text, made);
    return made;
  }
}

const digests = new Digests(4_000_000);

interface KnownStep extends LinkedStep {
  readonly link: Link;
}

/**
 * Links, found again by what was said: an agent's next request has the steps of the one before. Comparing texts costs a hundredth
 * of what their keys do. Of two generations the younger one is what was asked for last.
 */
class Steps {
  /** Characters of either generation at most. */
  readonly #most: number;
  /** By the link before: what is found again begins with the very same one. */
  #young = new Map<Link, readonly KnownStep[]>();
  #old = new Map<Link, readonly KnownStep[]>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  after(before: Link, step: LinkedStep): Link {
    const young = this.#young.get(before) ?? [];
    const isSame = (known: KnownStep) => isSameStep(known, step);
    const known = young.find(isSame);
    if (known !== undefined) return known.link;
    const made = this.#old.get(before)?.find(isSame) ?? { ...step, link: makeLink(before, step) };
    this.#size += sizeOf(step);
    if (this.#size > this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = sizeOf(step);
    }
    // After one link, as after the beginning, there may be any number.
    this.#young.set(before, [made, ...young.slice(0, mostBranches - 1)]);
    return made.link;
  }
}

/** Steps after one link that are compared: those that came last. */
const mostBranches = 16;

const steps = new Steps(4_000_000);

function isSameStep(one: LinkedStep, other: LinkedStep): boolean {
  return (
    one.answer.text === other.answer.text &&
    isSameList(one.answer.calls, other.answer.calls) &&
    isSameList(one.answer.callIds, other.answer.callIds) &&
    isSameList(one.input.said, other.input.said) &&
    isSameList(one.input.results, other.input.results) &&
    isSameList(one.input.words, other.input.words)
  );
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

function sizeOf({ input, answer }: LinkedStep): number {
  const sum = (texts: Input['results']) => texts.reduce((size, text = '') => size + text.length, 0);
  return 500 + answer.text.length + sum(answer.calls) + sum(input.said) + sum(input.results);
}
