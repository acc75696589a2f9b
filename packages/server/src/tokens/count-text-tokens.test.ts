import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countTextTokens } from './count-text-tokens.ts';
import { TokenReader } from './token-reader.ts';

const exactly = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('countTextTokens', () => {
  it('counts a bounded part of a text in one turn, however many are counted, and less before it has counted much', async () => {
    vi.resetModules();
    const [{ countTextTokens }, { TokenReader }] = await Promise.all([
      import('./count-text-tokens.ts'),
      import('./token-reader.ts'),
    ]);
    const { read } = TokenReader.prototype;
    let bytes = 0;
    vi.spyOn(TokenReader.prototype, 'read').mockImplementation(function (
      this: InstanceType<typeof TokenReader>,
      text,
      from,
    ) {
      const before = this.bytes;
      const to = read.call(this, text, from);
      bytes += this.bytes - before;
      return to;
    });
    const turns: number[] = [];
    let isOver = false;
    const turn = (): void => {
      if (bytes > 0) turns.push(bytes);
      bytes = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const words = Array.from({ length: 20_000 }, (_, at) => `${at} `).join('');
    await Promise.all([countTextTokens([words]), countTextTokens(['漢'.repeat(20_000)]), countTextTokens(['short'])]);
    isOver = true;
    const longestWord = 515;
    expect(turns.length).toBeGreaterThan(100);
    expect(turns[0]).toBeLessThan(30);
    expect(Math.max(...turns)).toBeGreaterThan(900);
    expect(Math.max(...turns)).toBeLessThanOrEqual(1000 + longestWord);
  });

  it('fails where the vocabulary cannot be read, and reads it the next time', async () => {
    vi.resetModules();
    const { readVocabulary } = await import('./vocabulary.ts');
    const reading = vi.fn(readVocabulary).mockRejectedValueOnce(new Error('no such file'));
    vi.doMock('./vocabulary.ts', async (original) => ({ ...(await original()), readVocabulary: reading }));
    try {
      const { countTextTokens } = await import('./count-text-tokens.ts');
      const failed = await Promise.allSettled([countTextTokens(['one']), countTextTokens(['two'])]);
      expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await countTextTokens(['one two'])).toBe(2);
      expect(await countTextTokens(['one two three'])).toBe(3);
      expect(reading).toHaveBeenCalledTimes(2);
    } finally {
      vi.doUnmock('./vocabulary.ts');
      vi.resetModules();
    }
  });

  it('A-241: counts prose and code as the tokenizer does, however long', async () => {
    const prose = 'The quick brown fox, 42 of them,  jumps over naïve dogs.\n\n';
    const code = 'export function add(left: number, right: number) {\n  return left + right; // 漢字 🙂\n}\n';
    for (const text of ['', 'a', prose, code, prose.repeat(400), code.repeat(400), '<|endoftext|> quoted']) {
      expect(await countTextTokens([text]), text.slice(0, 20)).toBe(exactly(text));
    }
  });

  it('A-241: counts what it has counted before as it did, and keeps no more than it says', async () => {
    // What other tests have counted is kept, too: these are generations of their own.
    vi.resetModules();
    const [{ countTextTokens, keptCharacters }, { TokenReader }] = await Promise.all([
      import('./count-text-tokens.ts'),
      import('./token-reader.ts'),
    ]);
    const line = (at: number) => `const value${at} = "${'word '.repeat(30)}";\n`;
    const history = ['short', ...Array.from({ length: 300 }, (_, at) => line(at))];
    const exact = (texts: readonly string[]) => texts.reduce((sum, text) => sum + exactly(text), 0);
    expect(await countTextTokens(history)).toBe(exact(history));
    const kept = keptCharacters();
    expect(kept).toBeGreaterThan(history.join('').length);
    const read = vi.spyOn(TokenReader.prototype, 'read');
    expect(await countTextTokens(history)).toBe(exact(history));
    expect(read).not.toHaveBeenCalled();
    expect(keptCharacters()).toBe(kept);
    const longer = [...history, line(300)];
    expect(await countTextTokens(longer)).toBe(exact(longer));
    expect(new Set(read.mock.calls.map(([text]) => text))).toEqual(new Set([line(300)]));
    for (let at = 0; at < 60; at += 1) await countTextTokens([`${at} ${'more and '.repeat(25_000)}`]);
    expect(keptCharacters()).toBeLessThanOrEqual(8_000_000);
  });

  it('takes a small sample of what comes while very much waits, and is within a tenth of the truth', async () => {
    const textOf = (at: number) => Array.from({ length: 12_000 }, (_, word) => `${at * word} words, `).join('');
    const texts = Array.from({ length: 12 }, (_, at) => textOf(at + 1));
    const read = vi.spyOn(TokenReader.prototype, 'read');
    const counted = await Promise.all(texts.map((text) => countTextTokens([text])));
    const last = texts.at(-1) ?? '';
    const charactersRead = new Set(read.mock.calls.map(([piece]) => piece)).size * 1000;
    expect(charactersRead).toBeLessThan(2_600_000);
    const truth = exactlyInPieces(last);
    expect(Math.abs((counted.at(-1) ?? 0) / truth - 1)).toBeLessThan(0.1);
    read.mockRestore();
    expect(Math.abs((await countTextTokens([last])) / truth - 1)).toBeLessThan(0.005);
  });

  it.each(['x', '漢', ' ', '\n', '🙂', '-'])('takes no quadratic time for a long run of %j', async (letter) => {
    // The other tokenizer would need minutes for some of these.
    const run = letter.repeat(Math.floor(190_000 / letter.length));
    const short = exactly(letter.repeat(1000)) * (run.length / letter.length / 1000);
    const counted = await countTextTokens([run]);
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
    const counted = await countTextTokens([text]);
    expect(counted).toBeGreaterThan(truth * 0.97);
    expect(counted).toBeLessThan(truth * 1.03);
  });
});

function exactlyInPieces(text: string): number {
  let count = 0;
  for (let from = 0; from < text.length; from += 900) count += exactly(text.slice(from, from + 900));
  return count;
}
