/** The text, or its beginning and a sentence that says what is missing. `most`: UTF-16 units, without that sentence. */
export function limitText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const line = cut.lastIndexOf('\n');
  const shown = line > most / 2 ? cut.slice(0, line) : cut;
  return `${shown}\n[Only the first ${shown.length} of ${text.length} characters are shown. Ask for less, or for a range.]`;
}
