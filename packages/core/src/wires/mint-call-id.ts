/** A new call id, `call_` and 24 random hexadecimal digits: unique over any conversation. */
export function mintCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
