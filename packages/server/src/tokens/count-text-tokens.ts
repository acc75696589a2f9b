import { setImmediate as nextTurn } from 'node:timers/promises';
import { sampleTexts, type TextSample } from '@dragoman/core';
import { TokenReader } from './token-reader.ts';
import { readVocabulary } from './vocabulary.ts';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number | Promise<number>;

/**
 * UTF-8 bytes that are counted in one turn of the event loop, however many texts are: 0.1 to 0.2 ms. The word that goes beyond them
 * is read to its end.
 */
const bytesInTurn = 1000;

/** Before Node has compiled what counts, each byte takes ten times as long: turns begin short, and grow by a part of what was counted. */
const firstBytes = 20;
const growth = 1 / 16;

/** A piece that is found again takes as long as so many bytes that are counted. */
const bytesOfLookup = 20;

/** Characters that are found again together. */
const longestPiece = 1000;

/** Shorter pieces are the ends of texts, which go on otherwise the next time. */
const shortestKept = longestPiece / 2;

/** Pieces in one generation, some four million characters. */
const mostKept = 4_000;

/** While so many characters wait, some quarter of a second of counting, of what comes only a sample is counted, which takes less room. */
const mostWaiting = 2_000_000;
const mostWhileBusy = 16_000;

/** Tokens that a chat template spends on each message's frame; OpenAI documents three and one more for the role. */
const tokensPerMessage = 4;

/**
 * Counts tokens of o200k_base on the event loop, in turns of bounded length, text by text. Exact where there is a space in every
 * thousand characters; where there is none, each thousand, or 512 bytes of one word, may come out a token or two too high. Of
 * texts above 256,000 characters an even sample is counted, and while much waits, of those above 16,000, within a tenth. What has been
 * counted a short while ago is not counted again.
 * Rejects if the vocabulary cannot be read.
 */
export function countTextTokens(text: string): Promise<number> {
  if (text === '') return Promise.resolve(0);
  const inLine = waiting.reduce((sum, each) => sum + each.text.length, 0);
  const sample = sampleTexts([text], '', inLine > mostWaiting ? mostWhileBusy : undefined);
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
    const steps = countSteps(first.text, reader);
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

/** Counts a text in steps, each of which tells how many bytes were counted, and returns its tokens. */
function* countSteps(text: string, reader: TokenReader): Generator<number, number> {
  let tokens = 0;
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    const piece = text.slice(from, to);
    from = to;
    yield bytesOfLookup;
    const known = find(piece);
    const count = known ?? (yield* readPiece(piece, reader));
    if (known === undefined && piece.length >= shortestKept) keep(piece, count);
    tokens += count;
  }
  return tokens;
}

function* readPiece(piece: string, reader: TokenReader): Generator<number, number> {
  const before = reader.tokens;
  for (let at = 0; at < piece.length; ) {
    const { bytes } = reader;
    at = reader.read(piece, at);
    yield reader.bytes - bytes;
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

/**
 * What pieces counted, found again by their content: agents send their whole history with every request, and only its end is new.
 * There are two generations: what nobody asks for while the younger one fills is forgotten with the elder one.
 */
let young = new Map<string, number>();
let old = new Map<string, number>();

/** How many characters of counted texts are kept, at most. */
export function keptCharacters(): number {
  return (young.size + old.size) * longestPiece;
}

function find(piece: string): number | undefined {
  const known = young.get(piece);
  if (known !== undefined) return known;
  const elder = old.get(piece);
  if (elder !== undefined) keep(piece, elder);
  return elder;
}

function keep(piece: string, count: number): void {
  if (young.size >= mostKept) {
    old = young;
    young = new Map();
  }
  // A copy: a piece alone would hold the whole text that it was cut out of.
  young.set(Buffer.from(piece).toString(), count);
}

/** Tokens of a whole prompt. */
export async function countPromptTokens(
  messages: readonly { readonly text: string }[],
  count: TokenCounter,
): Promise<number> {
  const { text, times } = sampleTexts(messages.map((message) => message.text));
  return Math.ceil((await count(text)) * times) + messages.length * tokensPerMessage;
}

/** The longest prefix of `text` with at most `limit` tokens. Never halves a surrogate pair. */
export async function prefixOfTokens(text: string, limit: number, count: TokenCounter): Promise<string> {
  // No token is shorter than a byte, so a limit beyond the bytes cannot bite.
  if (limit >= text.length * 4 || (await count(text)) <= limit) return text;
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if ((await count(text.slice(0, middle))) <= limit) fits = middle;
    else tooLong = middle;
  }
  const last = text.charCodeAt(fits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? fits - 1 : fits);
}
