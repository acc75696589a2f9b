/** `length` random lower-case hexadecimal digits, of the platform's own source. */
export function randomHex(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => (byte % 16).toString(16)).join('');
}
