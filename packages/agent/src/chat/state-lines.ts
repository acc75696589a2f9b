/** Marks that older prompts asked for at the start of a line, each followed by one word. */
const marks = ['STATE:', 'NEEDS_CONFIRMATION:'];

/**
 * What a model wrote, without the lines that older prompts asked for: `STATE: idle`, one word and nothing else. A sentence
 * that begins with such a mark stays, and so does everything in a code fence.
 */
export function withoutStateLines(text: string): string {
  if (!marks.some((mark) => text.includes(mark))) return text;
  const kept: string[] = [];
  let fence = '';
  let dropped = false;
  for (const line of text.split('\n')) {
    const bare = line.trim();
    const mark = fenceOf(bare);
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && bare === mark) fence = '';
    if (fence === '' && isStateLine(bare)) {
      dropped = true;
      continue;
    }
    // The empty line after a header belongs to it.
    if (dropped && bare === '' && (kept.length === 0 || kept.at(-1)?.trim() === '')) continue;
    dropped = false;
    kept.push(line);
  }
  return kept.join('\n');
}

function fenceOf(line: string): string {
  const letter = line.charAt(0);
  if (letter !== '`' && letter !== '~') return '';
  let length = 0;
  while (line.charAt(length) === letter) length += 1;
  return length >= 3 ? letter.repeat(length) : '';
}

function isStateLine(line: string): boolean {
  const mark = marks.find((each) => line.startsWith(each));
  if (mark === undefined) return false;
  const word = line.slice(mark.length).trim();
  return word !== '' && !word.includes(' ') && !word.includes('\t');
}
