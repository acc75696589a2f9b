import { Worker } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countTextTokens } from './count-text-tokens.ts';

const exactly = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('countTextTokens', () => {
  it('hands the thread few pieces in one turn, however long the text is', async () => {
    const handed = vi.spyOn(Worker.prototype, 'postMessage');
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const text = Array.from({ length: 400_000 }, (_, at) => `${at} `).join('');
    await countTextTokens(text);
    isOver = true;
    const lengths = handed.mock.calls.map(([{ pieces }]) => pieces.join('').length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64_000);
    expect(turns).toBeGreaterThanOrEqual(lengths.length);
  });

  it('A-241: counts prose and code as the tokenizer does, however long', async () => {
    const prose = 'The quick brown fox, 42 of them,  jumps over naïve dogs.\n\n';
    const code = 'export function add(left: number, right: number) {\n  return left + right; // 漢字 🙂\n}\n';
    for (const text of ['', 'a', prose, code, prose.repeat(400), code.repeat(400), '<|endoftext|> quoted']) {
      expect(await countTextTokens(text), text.slice(0, 20)).toBe(exactly(text));
    }
  });

  it('A-241: counts what it has counted before as it did, and keeps no more than it says', async () => {
    // What other tests have counted is kept, too: these are generations of their own.
    vi.resetModules();
    const { countTextTokens, keptCharacters } = await import('./count-text-tokens.ts');
    const line = (at: number) => `const value${at} = "${'word '.repeat(30)}";\n`;
    const history = Array.from({ length: 300 }, (_, at) => line(at)).join('');
    const first = await countTextTokens(history);
    const kept = keptCharacters();
    expect(kept).toBeGreaterThan(history.length / 2);
    expect(await countTextTokens(history)).toBe(first);
    expect(first).toBe(exactly(history));
    expect(keptCharacters()).toBe(kept);
    expect(await countTextTokens(`${history}${line(300)}`)).toBe(exactly(`${history}${line(300)}`));
    for (let at = 0; at < 60; at += 1) await countTextTokens(`${at} ${'more and '.repeat(25_000)}`);
    expect(keptCharacters()).toBeLessThanOrEqual(8_000_000);
  });

  it('ends the thread that has had nothing to count for a while, and starts another one when there is something', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    try {
      await countTextTokens('counted by the first thread');
      vi.advanceTimersByTime(299_000);
      await countTextTokens('it goes on');
      vi.advanceTimersByTime(299_000);
      expect(terminate).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1000);
      expect(terminate).toHaveBeenCalledTimes(1);
      const text = 'and counted by the next one';
      expect(await countTextTokens(text)).toBe(exactly(text));
      await terminate.mock.results[0]?.value;
      expect(await countTextTokens('while the first one has ended')).toBe(exactly('while the first one has ended'));
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['x', '漢', ' ', '\n', '🙂', '-'])('takes no quadratic time for a long run of %j', async (letter) => {
    // The tokenizer alone would need minutes for some of these.
    const run = letter.repeat(Math.floor(190_000 / letter.length));
    const short = exactly(letter.repeat(1000)) * (run.length / letter.length / 1000);
    const counted = await countTextTokens(run);
    expect(counted).toBeGreaterThan(short * 0.8);
    expect(counted).toBeLessThan(short * 1.2 + 10);
  });

  it.each([
    ['words', 'Some words, and more of them. '.repeat(20_000)],
    ['Chinese', '今天天气很好，我们去公园吧。'.repeat(40_000)],
    ['first one, then the other', `${'Some words. '.repeat(30_000)}${'汉'.repeat(300_000)}`],
  ])('takes an even sample of long texts, close to the truth: %s', async (_, text) => {
    const half = text.length / 2;
    const truth = exactlyInPieces(text.slice(0, half)) + exactlyInPieces(text.slice(half));
    const counted = await countTextTokens(text);
    expect(counted).toBeGreaterThan(truth * 0.97);
    expect(counted).toBeLessThan(truth * 1.03);
  });
});

function exactlyInPieces(text: string): number {
  let count = 0;
  for (let from = 0; from < text.length; from += 900) count += exactly(text.slice(from, from + 900));
  return count;
}
