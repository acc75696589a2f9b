import { setImmediate as nextTurn } from 'node:timers/promises';
import { KnownTexts } from '@dragoman/core';
import { sampleTexts, type TextSample } from './sample-texts.ts';
import { TokenReader } from './token-reader.ts';
import { readVocabulary } from './vocabulary.ts';

/** Counts the tokens of texts together. */
export type TokenCounter = (texts: readonly string[]) => number | Promise<number>;

/**
 * UTF-8 bytes that are counted in one turn of the event loop, however many texts are: 0.1 to 0.2 ms. The word that goes beyond them
 * is read to its end.
 */
const bytesInTurn = 1000;

/** Before Node has compiled what counts, each byte takes ten times as long: turns begin short, and grow by a part of what was counted. */
const firstBytes = 20;
const growth = 1 / 16;

/** A text that is looked up takes as long as so many bytes that are counted. */
const bytesOfLookup = 20;

/** UTF-16 units that are read together, as to find where a word ends takes as long as the word is. */
const longestPiece = 1000;

/** UTF-16 units that are usually counted, at most: nobody needs the exact number of more. */
const mostCounted = 256_000;

/** While so many units wait, some quarter of a second of counting, of what comes only a sample is counted, which takes less room. */
const mostWaiting = 2_000_000;
const mostWhileBusy = 16_000;

/** Tokens that a chat template spends on each message's frame; OpenAI documents three and one more for the role. */
const tokensPerMessage = 4;

/** UTF-16 units that a text takes beside itself where it is kept. */
const unitsOfKept = 150;

/** What texts counted: agents send their whole history with every request, and only its end is new. */
const counted = new KnownTexts<number>(() => unitsOfKept);

/** How many characters of counted texts are kept. */
export function keptCharacters(): number {
  return counted.units;
}

/**
 * Counts tokens of o200k_base on the event loop, in turns of bounded length, text by text. Exact where there is a space in every
 * thousand characters; where there is none, each thousand, or 512 bytes of one word, may come out a token or two too high. Of
 * texts above 256,000 characters together an even sample is counted, and while much waits, of those above 16,000, within a tenth.
 * What has been counted a short while ago is not counted again.
 * Rejects if the vocabulary cannot be read.
 */
export function countTextTokens(texts: readonly string[]): Promise<number> {
  const inLine = waiting.reduce((sum, { units }) => sum + units, 0);
  const sample = sampleTexts(texts, inLine > mostWaiting ? mostWhileBusy : mostCounted);
  if (sample.units === 0) return Promise.resolve(0);
  // Nothing is awaited here: what waits in a function keeps all that the function was given.
  return new Promise((resolve, reject) => {
    waiting.push({ ...sample, resolve, reject });
    if (waiting.length === 1) void countAll();
  });
}

interface Waiting extends TextSample {
  readonly resolve: (tokens: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Whoever waits for a count, in the order in which they came. */
const waiting: Waiting[] = [];

let reader: TokenReader | undefined;

/** Counts until nobody waits. */
async function countAll(): Promise<void> {
  try {
    reader ??= await createReader();
  } catch (error) {
    for (const { reject } of waiting.splice(0)) reject(error);
    return;
  }
  let left = 0;
  for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
    const steps = countSteps(first.texts, reader);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      left -= step.value;
      if (left > 0) continue;
      await nextTurn();
      left = Math.min(firstBytes + reader.bytes * growth, bytesInTurn);
    }
    waiting.shift();
    first.resolve(Math.ceil(step.value * first.times));
  }
}

/** Each word runs code that the one before has not run, which Node compiles then: a turn of its own for each. */
const firstWords = ['a', 'zqj', '\u4e2d\u9f98'];

async function createReader(): Promise<TokenReader> {
  const created = new TokenReader(await readVocabulary());
  for (const word of firstWords) {
    await nextTurn();
    created.read(word, 0);
  }
  return created;
}

/** Counts texts in steps, each of which tells how many bytes were counted, and returns their tokens. */
function* countSteps(texts: readonly string[], reader: TokenReader): Generator<number, number> {
  let tokens = 0;
  for (const text of texts) {
    yield bytesOfLookup;
    const known = counted.find(text);
    const count = known ?? (yield* readText(text, reader));
    if (known === undefined) counted.keep(text, count);
    tokens += count;
  }
  return tokens;
}

function* readText(text: string, reader: TokenReader): Generator<number, number> {
  const before = reader.tokens;
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, endOfPiece(text, from));
    from += piece.length;
    for (let at = 0; at < piece.length; ) {
      const { bytes } = reader;
      at = reader.read(piece, at);
      yield reader.bytes - bytes;
    }
  }
  return reader.tokens - before;
}

/** Where the piece that starts at `from` ends: before its last space after something else, where words end, and never in a pair. */
function endOfPiece(text: string, from: number): number {
  const end = from + longestPiece;
  if (end >= text.length) return text.length;
  const piece = text.slice(from, end);
  for (let space = piece.lastIndexOf(' '); space > 0; space = piece.lastIndexOf(' ', space - 1)) {
    if (piece.charAt(space - 1).trim() !== '') return from + space;
  }
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Tokens of a whole prompt. */
export async function countPromptTokens(
  messages: readonly { readonly text: string }[],
  count: TokenCounter,
): Promise<number> {
  return (await count(messages.map(({ text }) => text))) + messages.length * tokensPerMessage;
}

/** The longest prefix of `text` with at most `limit` tokens. Never halves a surrogate pair. */
export async function prefixOfTokens(text: string, limit: number, count: TokenCounter): Promise<string> {
  // No token is shorter than a byte, so a limit beyond the bytes cannot bite.
  if (limit >= text.length * 4 || (await count([text])) <= limit) return text;
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if ((await count([text.slice(0, middle)])) <= limit) fits = middle;
    else tooLong = middle;
  }
  const last = text.charCodeAt(fits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? fits - 1 : fits);
}
