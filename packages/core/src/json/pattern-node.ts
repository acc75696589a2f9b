/** Code points from `from` to `to`, both counted in. */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Which characters are at a place. */
export interface CharacterSet {
  readonly ranges: readonly CodeRange[];
  readonly negated: boolean;
}

/** A place between two characters. */
export type Edge = 'start' | 'end' | 'word-edge' | 'no-word-edge';

/** A regular expression, as it was written. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

export function isIn({ ranges, negated }: CharacterSet, code: number): boolean {
  return ranges.some(({ from, to }) => code >= from && code <= to) !== negated;
}

const one = (text: string): CodeRange => {
  const code = text.codePointAt(0) ?? 0;
  return { from: code, to: code };
};

const digits: CodeRange = { from: 0x30, to: 0x39 };

/** What stands for several characters after a backslash, in lower case; in upper case it stands for all others. */
export const classes: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ['d', [digits]],
  ['w', [digits, { from: 0x41, to: 0x5a }, { from: 0x61, to: 0x7a }, one('_')]],
  [
    's',
    [
      { from: 0x09, to: 0x0d },
      one(' '),
      one('\u00a0'),
      one('\u1680'),
      { from: 0x2000, to: 0x200a },
      { from: 0x2028, to: 0x2029 },
      one('\u202f'),
      one('\u205f'),
      one('\u3000'),
      one('\ufeff'),
    ],
  ],
]);

/** What `.` does not stand for. */
export const lineEnds: readonly CodeRange[] = [one('\n'), one('\r'), { from: 0x2028, to: 0x2029 }];

/** The code points that are not in these ranges. */
export function allBut(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  const found: CodeRange[] = [];
  let from = 0;
  for (const range of sorted) {
    if (range.from > from) found.push({ from, to: range.from - 1 });
    from = Math.max(from, range.to + 1);
  }
  return [...found, { from, to: 0x10ffff }];
}
