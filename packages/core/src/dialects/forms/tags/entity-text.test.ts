import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntityText } from './text-value.ts';

function read(...pieces: readonly string[]) {
  const out: string[] = [];
  const reader = new EntityText((text) => out.push(text));
  for (const piece of pieces) reader.push(piece);
  const early = out.join('');
  const decoded = reader.end();
  return { text: out.join(''), early, decoded };
}

describe('character references in a value', () => {
  it.each([
    ['a &lt;b&gt; &amp;&amp; &quot;c&quot; &apos;d&apos;', 'a <b> && "c" \'d\''],
    ['&#60;&#x3c;&#X3C;&#128512;', '<<<\u{1f600}'],
    ['E-082: &amp;lt; is decoded once', 'E-082: &lt; is decoded once'],
  ])('E-082: %s', (written, text) => {
    expect(read(written)).toMatchObject({ text, decoded: true });
  });

  it.each([
    'plain',
    'a < b &amp;&amp; c',
    'a &lt; b > c',
    'a && b &lt; c',
    'a &lt; b &',
    'x &lt; y &copy; z',
    '&#0; &lt;',
    '&#xd800;&lt;',
    '&#; &#x; &; &lt',
    '&#99999999999; &lt;',
    '',
  ])('E-082: %s stays as it is', (written) => {
    expect(read(written)).toEqual({ text: written, early: expect.any(String), decoded: false });
  });

  it('waits only from the first reference on, and not after what shows that nothing is escaped', () => {
    expect(read('long text &lt;')).toMatchObject({ early: 'long text ' });
    expect(read('if (a < b) &lt;')).toMatchObject({ early: 'if (a < b) &lt;' });
    expect(read('a &l')).toMatchObject({ early: 'a ', text: 'a &l' });
  });

  it('holds a bounded part of a value, whatever the cuts', () => {
    const long = `&lt;${'x'.repeat(300_000)}`;
    expect(read(long)).toMatchObject({ text: long, decoded: false });
    const pieces = Array.from({ length: 3001 }, (_, at) => long.slice(at * 100, at * 100 + 100));
    expect(read(...pieces)).toMatchObject({ text: long, decoded: false });
  });

  it('E-082: the same whatever the cuts, and only one level is taken (property)', () => {
    const piece = fc.constantFrom(
      '&',
      '&lt;',
      '&amp;',
      'lt;',
      '<',
      'a',
      '&#60;',
      '&#x',
      ';',
      '#',
      '\ud83d',
      '\ude00',
      ' ',
    );
    const cuts = fc.array(fc.nat(40), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, places) => {
        const text = pieces.join('');
        const at = [...new Set([0, ...places.filter((place) => place < text.length), text.length])].sort(
          (a, b) => a - b,
        );
        const { text: whole, decoded } = read(text);
        expect(read(...at.slice(1).map((to, index) => text.slice(at[index], to)))).toMatchObject({
          text: whole,
          decoded,
        });
        if (!decoded) expect(whole).toBe(text);
      }),
    );
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(read(escaped(text)).text).toBe(text);
      }),
    );
  });
});
