import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeJsonBytes, writtenCharacters } from './json-bytes.ts';
import { JsonText, keepingText, writeJson } from './json-text.ts';

const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Long enough to be kept, with what JSON escapes. */
const long = `"\\\u0000\ud800 é 🙂 ${'a line\n'.repeat(400)}`;

it('writes what writeJson writes, the first time and later', () => {
  const make = keepingText((names: readonly string[]) => names.map((name) => ({ name, about: long })));
  const tools = make(['a', 'b']);
  const odd = new JsonText('{"n":1.0}');
  const body = {
    model: 'm',
    messages: [
      { role: 'user', content: long },
      { content: [{ type: 'text', text: `${long}.` }], none: undefined },
      {},
      [],
    ],
    tools,
    odd,
    'a "name"': [odd, undefined, () => 1, Symbol('none'), null, true, -0, Number.NaN, 1e21],
    left: () => 1,
    empty: { left: undefined },
    short: { text: 'é', at: 1, left: undefined },
    top: new JsonText(JSON.stringify(long)),
  };
  for (let turn = 0; turn < 4; turn += 1) expect(read(writeJsonBytes(body))).toBe(writeJson(body));
  const before = writtenCharacters();
  writeJsonBytes(body);
  expect(writtenCharacters()).toBe(before);
});

it('writes any value', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(long, `${long}a`, long.replace('é', '𝄞')),
    fc.string({ unit: 'binary', minLength: 1000, maxLength: 1100 }),
  );
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(text, fc.double(), fc.boolean(), fc.constantFrom(null, undefined, new JsonText('1.0'))),
    tree: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.array(tie('tree')),
      fc.dictionary(fc.string({ unit: 'binary' }), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(read(writeJsonBytes(value))).toBe(writeJson(value));
    }),
  );
});

it('gives bytes that nobody else has', () => {
  // Kept from the second time on.
  for (let turn = 0; turn < 3; turn += 1) writeJsonBytes(long).fill(0);
  expect(read(writeJsonBytes(long))).toBe(JSON.stringify(long));
});
