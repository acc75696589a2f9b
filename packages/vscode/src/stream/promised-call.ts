/** How models begin when they say that they are about to do something. */
const promises = ["i'll ", 'i will ', 'let me ', "let's ", 'i am going to ', "i'm going to ", 'now i ', 'next, i '];
/** What they announce that only a tool can do. */
const deeds = [
  'read',
  'look',
  'check',
  'open',
  'run',
  'search',
  'create',
  'edit',
  'write',
  'list',
  'call',
  'use',
  'find',
];

/**
 * Whether a reply without a call ends with the announcement of one: the model stopped although tools were offered, or wrote
 * its call in a way that nobody could read. Only the last paragraph counts, and only a short one.
 */
export function promisesCall(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1)?.trim().toLowerCase() ?? '';
  if (last.length === 0 || last.length > 300 || last.endsWith('?')) return false;
  const from = promises.map((promise) => last.lastIndexOf(promise)).reduce((a, b) => Math.max(a, b), -1);
  if (from < 0) return false;
  return last
    .slice(from)
    .split(' ')
    .some((word) => deeds.includes(bare(word)));
}

/** Without the punctuation after it. */
function bare(word: string): string {
  let end = word.length;
  while (end > 0 && '.,:;!…'.includes(word[end - 1] ?? '')) end -= 1;
  return word.slice(0, end);
}
