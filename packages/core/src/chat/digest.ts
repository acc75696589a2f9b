/** Two numbers of 32 bits that hang on every UTF-16 unit of a text. The same in every process; no secret is safe in it. */
export function digestOf(text: string): readonly [number, number] {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
    second ^= second >>> 15;
  }
  return [mixed(first ^ text.length), mixed(second ^ Math.imul(first, 0x27d4eb2f))];
}

/** The same as 16 lower-case hexadecimal digits. */
export function hexDigestOf(text: string): string {
  return digestOf(text)
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('');
}

/** Spreads what differs in few bits over all of them (the last steps of MurmurHash3). */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
