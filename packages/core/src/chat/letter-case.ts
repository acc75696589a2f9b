/** Lower case for ASCII only: full case folding changes lengths. */
export function lowerUnit(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

/** A letter of ASCII in both cases; any other unit as it is. */
export function bothCases(unit: number): readonly number[] {
  const lower = lowerUnit(unit);
  return lower >= 97 && lower <= 122 ? [lower, lower - 32] : [unit];
}

/** A text with every letter of ASCII in lower case. */
export function lowerAscii(text: string): string {
  let lowered = '';
  for (let index = 0; index < text.length; index += 1)
    lowered += String.fromCharCode(lowerUnit(text.charCodeAt(index)));
  return lowered;
}
