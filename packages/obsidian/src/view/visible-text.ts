/** Ranges of characters that are not seen, or that turn around what is seen; a line feed and a tab are. */
const unseen: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x00ad, 0x00ad],
  // Marks of direction: with them a name or a line of code reads as another one.
  [0x061c, 0x061c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  // Tags: text that nobody sees, and that models read.
  [0xe0000, 0xe007f],
];

const isUnseen = (code: number) => unseen.some(([from, to]) => code >= from && code <= to);

/**
 * A text with everything in it seen, for whoever has to say yes to it: `U+202E` in brackets stands for a character that would not be
 * seen itself. Joiners within emoji and scripts stay.
 */
export function visibleText(text: string): string {
  let shown = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    shown += isUnseen(code) ? `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩` : character;
  }
  return shown;
}
