/** Where a body is cut: at offsets, or everywhere. */
export interface ByteCuts {
  /** Where the bytes begin in the whole body. */
  readonly offset: number;
  /** Offsets in the whole body at which a new piece begins. Any order. */
  readonly cutAt?: readonly number[];
  readonly everyByte?: boolean;
}

/** Divides bytes at the cuts that fall inside them. The pieces add up to the bytes; none is empty. */
export function cutBytes(bytes: Uint8Array, cuts: ByteCuts): Uint8Array[] {
  const inside = cuts.everyByte
    ? Array.from({ length: Math.max(0, bytes.length - 1) }, (_, index) => index + 1)
    : (cuts.cutAt ?? [])
        .map((at) => at - cuts.offset)
        .filter((at) => at > 0 && at < bytes.length)
        .sort((a, b) => a - b);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const at of [...inside, bytes.length]) {
    if (at > from) pieces.push(bytes.subarray(from, at));
    from = at;
  }
  return pieces;
}
