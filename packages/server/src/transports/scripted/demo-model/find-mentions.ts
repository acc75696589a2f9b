import { isVerb } from './concepts.ts';
import { hasSpace, isNameWithSpaces, isNumber, looksLikePath } from './looks-like-path.ts';
import { isSpace, isUpperCase, isWordCharacter, stem, wordsOf } from './words.ts';

/**
 * Something that a request names. `quoted`: in quotation marks; `code`: in back-ticks or a fence; `pattern`: holds `*`;
 * `name`: capitalised words that do not begin a sentence.
 */
export type MentionKind = 'url' | 'path' | 'pattern' | 'quoted' | 'code' | 'number' | 'name';

export interface Mention {
  readonly kind: MentionKind;
  readonly text: string;
  /** Where it begins and ends in the request's part, quotes included. */
  readonly from: number;
  readonly to: number;
}

/** Finds what a part of a request names, in order. */
export function findMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = readQuoted(text, at);
    if (quoted !== undefined) {
      mentions.push(quoted);
      at = quoted.to;
      continue;
    }
    let to = at;
    while (to < text.length && !isSpace(text[to] ?? '')) to += 1;
    if (to > at) addPlain(mentions, { text, from: at, to });
    at = to;
    while (at < text.length && isSpace(text[at] ?? '')) at += 1;
  }
  return joinNames(addFolders(mentions, text), text);
}

const quotes = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['\u201c', '\u201d'],
  ['\u2018', '\u2019'],
  ['\u201e', '\u201c'],
]);

/** The quotation that begins at `at`, if one does. */
export function readQuoted(text: string, at: number): Mention | undefined {
  if (text.startsWith('```', at)) return readFence(text, at);
  const open = text[at] ?? '';
  const close = quotes.get(open);
  if (close === undefined || isWordCharacter(text[at - 1] ?? ' ')) return undefined;
  let to = text.indexOf(close, at + 1);
  // An apostrophe inside a word closes nothing.
  while (to !== -1 && open === "'" && isWordCharacter(text[to + 1] ?? ' ')) to = text.indexOf(close, to + 1);
  if (to === -1 || to === at + 1) return undefined;
  const inner = text.slice(at + 1, to);
  return { kind: kindOf(inner, open === '`' ? 'code' : 'quoted'), text: inner, from: at, to: to + 1 };
}

function readFence(text: string, at: number): Mention | undefined {
  const lineEnd = text.indexOf('\n', at);
  const close = lineEnd === -1 ? -1 : text.indexOf('```', lineEnd);
  if (close === -1) return undefined;
  const inner = text.slice(lineEnd + 1, close);
  return { kind: 'code', text: inner.endsWith('\n') ? inner.slice(0, -1) : inner, from: at, to: close + 3 };
}

function addPlain(
  mentions: Mention[],
  run: { readonly text: string; readonly from: number; readonly to: number },
): void {
  let { from, to } = run;
  while (from < to && openers.has(run.text[from] ?? '')) from += 1;
  while (to > from && closers.has(run.text[to - 1] ?? '')) to -= 1;
  const word = run.text.slice(from, to);
  if (word === '') return;
  const kind = kindOf(word, undefined);
  if (kind !== undefined) mentions.push({ kind, text: word, from, to });
  else if (isUpperCase(word[0] ?? '') && !beginsSentence(run.text, from))
    mentions.push({ kind: 'name', text: word, from, to });
}

const openers = new Set('([{<"\'\u201c');
const closers = new Set('.,;:!?)]}>"\'\u201d\u2026');

function kindOf<Fallback extends MentionKind | undefined>(text: string, fallback: Fallback): MentionKind | Fallback {
  if (text.startsWith('http://') || text.startsWith('https://')) return 'url';
  if (isNumber(text)) return fallback ?? 'number';
  if (fallback !== undefined && isNameWithSpaces(text)) return 'path';
  if (text.length <= 300 && !hasSpace(text)) {
    if (text.includes('*')) return 'pattern';
    if (looksLikePath(text)) return 'path';
  }
  return fallback;
}

function beginsSentence(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isSpace(text[before] ?? '')) before -= 1;
  return before < 0 || '.!?:'.includes(text[before] ?? '');
}

const folderWords = new Set(['folder', 'directory', 'dir', 'subfolder', 'subdirectory']);
const hereWords = new Set(['this', 'current', 'working', 'root', 'same', 'project', 'present']);
const noFolderNames = new Set([
  'the',
  'a',
  'an',
  'each',
  'every',
  'any',
  'my',
  'our',
  'your',
  'new',
  'that',
  'which',
  'of',
  'in',
  'and',
]);

/** The word before "folder" or "directory" names one; "the current directory" is `.`. */
function addFolders(mentions: readonly Mention[], text: string): Mention[] {
  const words = wordsOf(text);
  const added: Mention[] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    if (before === undefined || !folderWords.has(word.text.toLowerCase())) continue;
    const to = before.at + before.text.length;
    const isTaken = mentions.some(
      (mention) => mention.kind !== 'name' && mention.from <= before.at && before.at < mention.to,
    );
    const name = before.text.toLowerCase();
    if (isTaken || text.slice(to, word.at) !== ' ' || noFolderNames.has(name) || isVerb(stem(name))) continue;
    added.push({ kind: 'path', text: hereWords.has(name) ? '.' : before.text, from: before.at, to });
  }
  const kept = mentions.filter(({ kind, from }) => kind !== 'name' || !added.some((folder) => folder.from === from));
  return [...kept, ...added].sort((a, b) => a.from - b.from);
}

/** Neighbouring capitalised words are one name: New York. A pronoun is none. */
function joinNames(mentions: readonly Mention[], text: string): Mention[] {
  const joined: Mention[] = [];
  for (const mention of mentions) {
    if (mention.kind === 'name' && stem(mention.text) === 'i') continue;
    const last = joined.at(-1);
    if (last?.kind === 'name' && mention.kind === 'name' && text.slice(last.to, mention.from) === ' ') {
      joined[joined.length - 1] = { ...last, text: `${last.text} ${mention.text}`, to: mention.to };
    } else joined.push(mention);
  }
  return joined;
}
