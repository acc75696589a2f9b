import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNeutraliser, type Marker, neutralise } from './neutralise.ts';

const markers = ['<tool_call>', '</tool_call>', '[Tool Result', '## Return of ', '<a<b>', '<b>', '<a&lt;c>', '<c>'];

describe('neutralise', () => {
  it('A-209 replaces the first character of each marker and stays readable', () => {
    expect(neutralise('x <tool_call>{}</tool_call> [Tool Result: y]', markers)).toEqual({
      text: 'x &lt;tool_call>{}&lt;/tool_call> &#91;Tool Result: y]',
      count: 3,
    });
  });

  it('returns text without markers as it is', () => {
    const text = 'if (a < b && c[1] > 2) # <tool call> </tool_cal>';
    expect(neutralise(text, markers)).toEqual({ text, count: 0 });
    expect(neutralise('', markers)).toEqual({ text: '', count: 0 });
    expect(neutralise(text, [])).toEqual({ text, count: 0 });
  });

  it('is case-sensitive unless a marker says otherwise', () => {
    const loose: readonly Marker[] = [{ text: '[Tool RESULT', anyCase: true }];
    expect(neutralise('[tool result', loose).count).toBe(1);
    expect(neutralise('[TOOL Result', loose).text).toBe('&#91;TOOL Result');
    expect(neutralise('[tool result', ['[Tool Result']).count).toBe(0);
  });

  it('finds markers inside each other and markers that a replacement completes', () => {
    expect(neutralise('<a<b>', markers)).toEqual({ text: '<a&lt;b>', count: 1 });
    expect(neutralise('<a<c>', markers)).toEqual({ text: '&lt;a&lt;c>', count: 2 });
    expect(neutralise('### Return of x', markers).text).toBe('#&#35;# Return of x');
  });

  it('leaves out markers that could match inside a character reference', () => {
    expect(neutralise('a & b; 60 lt; #6', ['&', ';', '6', 'lt;', '#6', 't']).count).toBe(0);
  });

  it('leaves no marker, loses nothing else and changes nothing the second time (property)', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '<tool_call>',
      '</tool_call',
      '<a',
      '<b>',
      '<c>',
      '&lt;',
      '#',
      ' Return of ',
      'é',
      '😀',
      '[Tool Result',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const once = neutralise(text, markers);
        for (const marker of markers) expect(once.text).not.toContain(marker);
        expect(neutralise(once.text, markers)).toEqual({ text: once.text, count: 0 });
        // Undoing the references of the result and of the input gives the same text: only first characters changed.
        const undo = (value: string) => value.replaceAll('&lt;', '<').replaceAll('&#91;', '[').replaceAll('&#35;', '#');
        expect(undo(once.text)).toBe(undo(text));
      }),
    );
  });

  it('defuses a cascade of replacements in a long text with 200 markers', () => {
    const many = Array.from({ length: 200 }, (_, index) => `<tool_${index}>`);
    const cascade = createNeutraliser([...many, '<x', '<&lt;']);
    const { text, count } = cascade(`${'<'.repeat(400_000)}x`);
    expect(count).toBeGreaterThan(0);
    expect(cascade(text)).toEqual({ text, count: 0 });
  });
});
