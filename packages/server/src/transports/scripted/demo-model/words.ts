/** A word with its place in the text. */
export interface Word {
  readonly text: string;
  readonly at: number;
}

/** The words of a text: runs of letters and digits. Names such as `readFile` and `read_file` fall into their parts. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let from = -1;
  const close = (at: number): void => {
    if (from !== -1) words.push({ text: text.slice(from, at), at: from });
    from = -1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (!isWordCharacter(character)) close(at);
    else if (from === -1) from = at;
    else if (isUpperCase(character) && !isUpperCase(text[at - 1] ?? '')) {
      close(at);
      from = at;
    }
  }
  close(text.length);
  return words;
}

/** The stems of a text's words, in order. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).map((word) => stem(word.text));
}

/** A word without its most common English endings, so that `reading`, `reads` and `read` are one. */
export function stem(word: string): string {
  let rest = word.toLowerCase();
  if (rest.length > 5 && rest.endsWith('ing')) rest = withoutDouble(rest.slice(0, -3));
  else if (rest.length > 4 && rest.endsWith('ed')) rest = withoutDouble(rest.slice(0, -2));
  else if (rest.length > 4 && sibilantPlurals.some((ending) => rest.endsWith(ending))) rest = rest.slice(0, -2);
  else if (rest.length > 3 && rest.endsWith('s') && !rest.endsWith('ss')) rest = rest.slice(0, -1);
  return rest.length > 3 && rest.endsWith('e') ? rest.slice(0, -1) : rest;
}

const sibilantPlurals = ['ches', 'shes', 'sses', 'xes'];

function withoutDouble(word: string): string {
  const last = word.at(-1);
  return word.length > 3 && last === word.at(-2) && last !== 'l' && last !== 's' ? word.slice(0, -1) : word;
}

/** Whether a character belongs to a word. Letters of scripts without case count too. */
export function isWordCharacter(character: string): boolean {
  if (character >= '0' && character <= '9') return true;
  if (character >= 'a' && character <= 'z') return true;
  if (character >= 'A' && character <= 'Z') return true;
  return character > '\u02af' ? character < '\u2000' || character > '\u2bff' : character >= '\u00c0';
}

export function isUpperCase(character: string): boolean {
  return character !== character.toLowerCase();
}

export function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\u00a0';
}

/** Whether a word says nothing about what is wanted. */
export function isFiller(stemmed: string): boolean {
  return fillers.has(stemmed);
}

const fillers = new Set(
  (
    'the a an of in to and or is are was be been it its this that these those me my you your i we us our with for on at ' +
    'from by as if then please can could would should will do does did what which who how why where when all any each ' +
    'there their them they some so not no yes let want need like just now also first second after before into about ' +
    'tool use using used call given with one two via per'
  )
    .split(' ')
    .map(stem),
);
