/**
 * The first expected line that the output lacks, or undefined when all are there in this order. Other lines may stand
 * in between. In an expected line `…` stands for anything, and a line that is only `…` says nothing.
 */
export function missingLine(expected: string, output: string): string | undefined {
  const lines = output.split('\n');
  let from = 0;
  for (const wanted of expected.split('\n')) {
    if (wanted.trim() === '' || wanted.trim() === '…') continue;
    const found = lines.findIndex((line, index) => index >= from && fits(line.trimEnd(), wanted.trimEnd()));
    if (found === -1) return wanted;
    from = found + 1;
  }
  return undefined;
}

function fits(line: string, wanted: string): boolean {
  const pieces = wanted.split('…');
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = line.indexOf(piece, at);
    if (found === -1 || (index === 0 && found !== 0)) return false;
    at = found + piece.length;
  }
  return pieces.at(-1) === '' || line.endsWith(pieces.at(-1) ?? '');
}
