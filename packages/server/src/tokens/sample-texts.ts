/** UTF-16 units of a sample that lie side by side, so that few words are cut. */
const window = 1000;

/** What is counted of texts, UTF-16 units of it, and how many times as long they are. */
export interface TextSample {
  readonly texts: readonly string[];
  readonly units: number;
  readonly times: number;
}

/** The texts; of more than `most` UTF-16 units an even sample, of 256,000 within 3 % of the truth. */
export function sampleTexts(texts: readonly string[], most: number): TextSample {
  const length = unitsOf(texts);
  if (length <= most) return { texts, units: length, times: 1 };
  const windows = windowsOf(texts, Math.ceil(length / most) * window);
  const units = unitsOf(windows);
  return { texts: windows, units, times: length / units };
}

function unitsOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Of each `stride` of the texts together, the first window. */
function windowsOf(texts: readonly string[], stride: number): readonly string[] {
  const pieces: string[] = [];
  /** Where the text begins in its stride. */
  let before = 0;
  for (const text of texts) {
    for (let start = -before; start < text.length; start += stride) {
      if (start + window > 0) pieces.push(partOf(text, Math.max(0, start), start + window));
    }
    before = (before + text.length) % stride;
  }
  return pieces;
}

/** A copy: a part alone would hold all of its text. */
function partOf(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  return part.length === text.length ? text : Buffer.from(part).toString();
}
