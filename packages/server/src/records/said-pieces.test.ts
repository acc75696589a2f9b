import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Room } from './room.ts';
import { cutPieces, joinPieces, tellPieces } from './said-pieces.ts';

const frame = (content: string, more = '') =>
  `data: {"id":"chatcmpl-1","choices":[{"delta":{"content":${JSON.stringify(content)}}}]${more}}\n\n`;

it('of frames that are nearly the same only what is new is told', () => {
  const pieces = [
    frame('One'),
    frame('of'),
    frame('a "few"'),
    frame('', ',"usage":{"total_tokens":7}'),
    'data: [DONE]\n\n',
  ];
  const said = joinPieces(pieces);
  expect(said.text).toBe(`${frame('One')}"of""a \\"few\\""${pieces[3]?.slice(56)}data: [DONE]\n\n`);
  expect(cutPieces(said)).toEqual(pieces);
  // However they were cut.
  const [first = '', ...rest] = pieces;
  const cut = [first.slice(0, 20), first.slice(20) + rest.join('')];
  expect(joinPieces(cut).text).toBe(said.text);
  expect(cutPieces(joinPieces(cut))).toEqual(cut);
});

const word = fc.constantFrom('sk-abcdef', 'sk-', 'abcdef', ' ', '"', '\\', 'ä', '😀', '\n', 'é"x');
const content = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
const line = fc.oneof(
  content.map((each) => frame(each)),
  fc.tuple(content, content).map(([a, b]) => `{"a":"${a}","b":${b}}\n`),
  fc.tuple(content, content).map(([a, b]) => `event: delta\r\ndata: {"a":"${a}","b":"${b}"}\r\n\r\n`),
  content,
);

it('any pieces are told so that they can be had again, and what stands in them is found', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const pieces = lines.filter((each) => each !== '');
      const said = joinPieces(pieces);
      expect(cutPieces(said)).toEqual(pieces);
      // As a word, also where a cut is in the middle of it.
      const isIn = (text: string) => /(?<![a-z])sk-abcdef/.test(text);
      if (isIn(pieces.join(''))) expect(isIn(said.text)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('what is no UTF-8 is told as it is read, wherever it is cut', () => {
  const byte = fc.constantFrom(0x80, 0xbf, 0xc3, 0xe2, 0xf0, 0x61, 0x22, 0x0a);
  const cuts = fc.array(fc.nat(300), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 300 }), cuts, (all, places) => {
      const bytes = Buffer.from(all);
      const ends = [...places.filter((place) => place < bytes.length).sort((one, other) => one - other), bytes.length];
      expect(cutPieces(tellPieces(bytes, ends)).join('')).toBe(bytes.toString('utf8'));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['with a quote in it', 'é\\"x', [frame('é"y'), frame('é"x')]],
  ['that was the end of another', '"sk-abcdef', [frame('xsk-abcdef'), frame('sk-abcdef')]],
  ['that is cut', 'sk-abcdef', ['{"b":"sk-', 'x"}\n{"c":"sk-', 'abcdef"}\n']],
])('a word %s is found', (_, found, pieces) => {
  expect(joinPieces(pieces).text).toContain(found);
});

it('what there is no room for is one gap', () => {
  const pieces = [frame('One'), frame('two'), frame('three')] as const;
  const room = new Room(pieces[0].length + 10);
  expect(cutPieces(room.takePieces('reply', joinPieces(pieces)))).toEqual([pieces[0], pieces[1].slice(0, 10)]);
  const missing = pieces.join('').length - pieces[0].length - 10;
  expect(room.gaps).toEqual([{ part: 'reply', why: 'too-long', missing }]);
});
