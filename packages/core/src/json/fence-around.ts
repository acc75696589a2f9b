const ticks = '```';

/** The word after the ticks that open a fence is at most this long. */
const longestWord = 16;

/** What was around a value: a code fence or not, and the text beside it. */
export interface Around {
  readonly fenced: boolean;
  readonly text: readonly string[];
}

/** Tells the code fence around a value from other text before it and after it. */
export function splitAround(front: string, after: string): Around {
  const before = front.trimEnd();
  const opening = openingFence(before);
  const rest = after.trimStart();
  const closes = rest.startsWith(ticks);
  const text = [before.slice(0, opening), closes ? rest.slice(ticks.length) : rest];
  return {
    fenced: opening < before.length || closes,
    text: text.map((part) => part.trim()).filter((part) => part !== ''),
  };
}

/** Where the opening of a fence begins that ends the text; the text's length without one. */
function openingFence(text: string): number {
  const at = text.lastIndexOf(ticks);
  return at >= 0 && isWord(text.slice(at + ticks.length)) ? at : text.length;
}

/** The inside of a text that is one code fence, or the text itself; white space around it does not count. */
export function unfenced(text: string): string {
  const trimmed = text.trim();
  const lineEnd = trimmed.indexOf('\n');
  if (!trimmed.startsWith(ticks) || lineEnd < 0 || !isWord(trimmed.slice(ticks.length, lineEnd))) return trimmed;
  const end = trimmed.endsWith(ticks) && trimmed.length - ticks.length > lineEnd ? -ticks.length : undefined;
  return trimmed.slice(lineEnd + 1, end).trim();
}

/** What may come after the ticks that open a fence: nothing, or the name of a language on the same line. */
function isWord(text: string): boolean {
  const word = text.trim();
  const isOneLine = !text.trimEnd().includes('\n');
  return isOneLine && word.length <= longestWord && !word.includes(' ') && !word.includes('`');
}
