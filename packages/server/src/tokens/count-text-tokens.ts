import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sampleTexts } from '@dragoman/core';
import { packageFolder } from '../package-folder.ts';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number | Promise<number>;

/**
 * The tokenizer takes quadratic time for a run of letters, or of white space, without a break: 20 000 letters without a
 * space took it two seconds. Pieces of this many characters keep the time linear.
 */
const longestPiece = 1000;

/** So many pieces are looked up, or handed to the thread, in one turn: some 0.2 ms. */
const piecesAtOnce = 64;

/** Tokens that a chat template spends on each message's frame; OpenAI documents three and one more for the role. */
const tokensPerMessage = 4;

/**
 * Counts with the o200k tokenizer in a thread of its own, which is started at the first call and ends when it has had nothing to do
 * for five minutes. Exact for words; a run of more than a thousand characters without a space may come out a token or two too high.
 * Of texts above 256,000 characters an even sample is counted. What has been counted a short while ago is not counted again.
 * Rejects if the thread breaks.
 */
export async function countTextTokens(text: string): Promise<number> {
  if (text === '') return 0;
  const sample = sampleTexts([text]);
  const pieces = piecesOf(sample.text);
  let count = 0;
  for (let from = 0; from < pieces.length; from += piecesAtOnce) {
    if (from > 0) await nextTurn();
    count += await countPieces(pieces.slice(from, from + piecesAtOnce));
  }
  return Math.ceil(count * sample.times);
}

/** Shorter pieces are the ends of texts, which go on otherwise the next time. */
const shortestKept = longestPiece / 2;

/** Pieces in one generation, some four million characters. */
const mostKept = 4_000;

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

async function countPieces(pieces: readonly string[]): Promise<number> {
  const fresh: string[] = [];
  let sum = 0;
  for (const piece of pieces) {
    const known = young.get(piece) ?? old.get(piece);
    if (known === undefined) fresh.push(piece);
    else sum += known;
    if (known !== undefined && !young.has(piece)) keep(piece, known);
  }
  if (fresh.length === 0) return sum;
  const counts = await countInThread(fresh);
  fresh.forEach((piece, at) => {
    const count = counts[at] ?? 0;
    sum += count;
    if (piece.length >= shortestKept) keep(piece, count);
  });
  return sum;
}

function keep(piece: string, count: number): void {
  if (young.size >= mostKept) {
    old = young;
    young = new Map();
  }
  // A copy: a piece alone would hold the whole text that it was cut out of.
  young.set(Buffer.from(piece).toString(), count);
}

const script = join(packageFolder, 'bin', 'token-worker.js');

interface Waiting {
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds after which a thread with nothing to count ends: it holds some 90 MB, and starts in a quarter of a second. */
const longestIdle = 300_000;

let thread: Worker | undefined;
let ending: NodeJS.Timeout | undefined;
let calls = 0;
const waiting = new Map<number, Waiting>();

async function countInThread(pieces: readonly string[]): Promise<readonly number[]> {
  // To start it takes long enough for a turn of its own.
  if (thread === undefined) await nextTurn();
  clearTimeout(ending);
  thread ??= startThread();
  const running = thread;
  calls += 1;
  const id = calls;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    running.ref();
    running.postMessage({ id, pieces });
  });
}

/** In MB. What it counts is gone at once, so that much room for what is young only keeps memory from the system. */
const room = { maxYoungGenerationSizeMb: 4 };

function startThread(): Worker {
  const started = new Worker(script, { resourceLimits: room });
  started.unref();
  started.on('message', ({ id, counts }: { readonly id: number; readonly counts: readonly number[] }) => {
    waiting.get(id)?.resolve(counts);
    waiting.delete(id);
    // The process may end while nobody waits for a count.
    if (waiting.size > 0) return;
    started.unref();
    clearTimeout(ending);
    ending = setTimeout(() => {
      thread = undefined;
      void started.terminate();
    }, longestIdle).unref();
  });
  const ended = (error: Error) => {
    // Another one may run by then, and what waits for it goes on waiting.
    if (thread !== started) return;
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  started.on('error', ended);
  started.on('exit', () => ended(new Error('The thread that counts tokens has ended.')));
  return started;
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Where the piece that starts at `from` ends: before its last space, where tokens end anyway, and never in a surrogate pair. */
function endOfPiece(text: string, from: number): number {
  const end = from + longestPiece;
  if (end >= text.length) return text.length;
  const space = text.slice(from, end).lastIndexOf(' ');
  if (space > 0) return from + space;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
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
