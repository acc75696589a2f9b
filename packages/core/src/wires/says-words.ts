/** Whether one of the words is anywhere in a body. */
export function saysWords(body: unknown, words: readonly string[]): boolean {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return words.some((word) => text.includes(word));
}
