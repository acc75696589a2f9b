import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { TokenReader } from './token-reader.ts';
import { readVocabulary } from './vocabulary.ts';

const vocabulary = await readVocabulary();

const exactly = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

function counted(text: string): number {
  const reader = new TokenReader(vocabulary);
  for (let at = 0; at < text.length; ) at = reader.read(text, at);
  return reader.tokens;
}

/** What the pattern of words looks at: kinds of letters, marks, digits, space, ends of lines, apostrophes, pairs and halves of them. */
const units = [
  ...'aZ éÉßǅʰªـ漢가ア\u0301\u0303\u20dd٣½9²Ⅷ',
  ...'\n\r\t\u00a0\u3000\u200b',
  ...'.,/-_="<|>{}🙂👩‍💻🇩🇪𝐀𝐚𐐀𐐨',
  '\ud83d',
  '\ude42',
  "'s",
  "'LL",
  "'Ve",
  "'re",
  'tion',
  'HTTP',
  '  ',
  '\r\n',
  '://',
];

describe('TokenReader', () => {
  it.each([
    ['prose', "The quick brown fox, 42 of them,  jumps over naïve dogs. It's theirs, I'LL SAY; they'Re not.\n\n"],
    ['code', 'export function add(left: number, right: number) {\r\n\treturn left + right; // 漢字 🙂\n}\n'],
    ['JSON', '{"name":"read_file","arguments":{"path":"/etc/hosts","lines":[1,22,333,4444]}}'],
    ['Chinese', '今天天气很好，我们去公园吧。他说：“好！”'],
    ['Thai', 'สวัสดีครับ ผมชื่อจอห์น ยินดีที่ได้รู้จัก'],
    ['Arabic', 'السَّلامُ عَلَيْكُم، كيف حالك؟'],
    ['Hindi', 'नमस्ते, आप कैसे हैं?'],
    ['Korean', '안녕하세요, 만나서 반갑습니다.'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷 ☝🏽 text😀😀😀'],
    ['numbers', '1 12 123 1234 12345.678901 ٣٤٥٦ ½²Ⅷ 0x7fFF'],
    ['white space', '  a   b\n\n   c \r\n \t\n d\u00a0\u3000 e   '],
    ['special tokens', 'quoted <|endoftext|> and <|im_start|>user<|im_end|>'],
    ['halves of pairs', 'a\ud83d b\ude42\ud83d\ud83d c\ud83d'],
    ['base64', 'R0lGODlhAQABAIAAAP7//wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='],
    ['a long word', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'],
  ])('A-241: counts %s as another tokenizer does', (_, text) => {
    expect(counted(text)).toBe(exactly(text));
    expect(counted(text.repeat(20))).toBe(exactly(text.repeat(20)));
  });

  it('A-241: counts all other texts as another tokenizer does', () => {
    const mixed = fc.array(fc.constantFrom(...units), { maxLength: 60 }).map((parts) => parts.join(''));
    const texts = fc.oneof(mixed, fc.string({ unit: 'binary', maxLength: 100 }), fc.string({ maxLength: 100 }));
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/[\ufeff\u0085]/.test(text));
        expect(counted(text)).toBe(exactly(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('A-241: counts what JavaScript takes for other white space, or leaves out, as OpenAI does', () => {
    expect(['\ufeff', '\ufeff\ufeff', 'a\ufeffb', 'a \ufeff b', '\u0085\u0085\n', 'a \u0085 b'].map(counted)).toEqual([
      1, 1, 3, 3, 5, 4,
    ]);
  });

  it.each(['x', 'X', '漢', ' ', '\n', '🙂', '-', 'กำ'])(
    'reads a long run of %j in parts of bounded length',
    (letter) => {
      const text = letter.repeat(1000);
      const reader = new TokenReader(vocabulary);
      let parts = 0;
      for (let at = 0; at < text.length; parts += 1) {
        const { bytes } = reader;
        at = reader.read(text, at);
        expect(reader.bytes - bytes).toBeLessThan(516);
      }
      expect(reader.bytes).toBe(Buffer.byteLength(text));
      expect(reader.tokens).toBeGreaterThanOrEqual(exactly(text));
      expect(reader.tokens).toBeLessThanOrEqual(exactly(text) + parts);
    },
  );
});
