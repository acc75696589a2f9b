/** Piece sizes in code points, taken in turn: uneven, so that markers and words are cut at many places. */
const sizes = [3, 5, 2, 6, 4, 1] as const;

/** Cuts a reply into small uneven pieces that add up to it. Never halves a surrogate pair; the same text is always cut the same way. */
export function* cutPieces(text: string): Generator<string> {
  let piece = '';
  let count = 0;
  let turn = 0;
  for (const character of text) {
    piece += character;
    count += 1;
    if (count < (sizes[turn % sizes.length] ?? 1)) continue;
    yield piece;
    piece = '';
    count = 0;
    turn += 1;
  }
  if (piece !== '') yield piece;
}
