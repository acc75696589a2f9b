import { isVerb } from './concepts.ts';
import { findMentions, type Mention, readQuoted } from './find-mentions.ts';
import { isSpace, isWordCharacter, stem, wordsOf } from './words.ts';

/** One part of a request: one deed, with what it names. */
export interface Clause {
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** Whether it waits for the results of the parts before it ("then …"). */
  readonly after: boolean;
}

interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
}

/** The most parts of a request that are looked at. */
const mostClauses = 16;

/** Divides a request at sentence ends, line ends, `then`, and `and` or a comma before a verb. Quotations stay whole. */
export function splitClauses(request: string): Clause[] {
  const tokens = tokensOf(request);
  const clauses: Clause[] = [];
  let from = 0;
  let after = false;
  const close = (to: number, next: number, nextAfter: boolean): void => {
    const text = request.slice(from, to).trim();
    if (hasWords(text) && clauses.length < mostClauses) clauses.push({ text, mentions: findMentions(text), after });
    else nextAfter ||= after;
    from = next;
    after = nextAfter;
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.quoted) continue;
    const join = readJoin(tokens, at);
    if (join !== undefined) {
      const next = tokens[at + join.length]?.from ?? request.length;
      close(token.from, next, join.after);
      // A comma alone joins without a word of its own: the verb itself is looked at next.
      at += Math.max(0, join.length - 1);
    }
    // Whatever joins the parts, the last word of a sentence ends one.
    if (endsSentence(token.text) || request.slice(token.to, tokens[at + 1]?.from ?? token.to).includes('\n')) {
      const next = tokens[at + 1]?.from ?? request.length;
      if (next > from) close(next, next, false);
    }
  }
  close(request.length, request.length, false);
  return clauses;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at] ?? '')) {
      at += 1;
      continue;
    }
    let to = readQuoted(text, at)?.to ?? at;
    const quoted = to > at;
    while (to < text.length && !isSpace(text[to] ?? '')) to += 1;
    tokens.push({ text: text.slice(at, to), from: at, to, quoted });
    at = to;
  }
  return tokens;
}

/** The words that join two parts, if they begin at this token: how many tokens, and whether one part waits for the other. */
function readJoin(
  tokens: readonly Token[],
  at: number,
): { readonly length: number; readonly after: boolean } | undefined {
  const word = (offset: number): string => plain(tokens[at + offset]?.text ?? '');
  if (at === 0) return undefined;
  const first = word(0);
  let length = 0;
  if (first === 'and' || first === 'but' || first === 'also') length = 1;
  let after = false;
  const connective = word(length);
  if (connective === 'then' || connective === 'afterwards' || connective === 'finally' || connective === 'next') {
    after = true;
    length += 1;
  } else if (connective === 'after' && ['that', 'this', 'which'].includes(word(length + 1))) {
    after = true;
    length += 2;
  }
  if (after) return { length, after };
  while (length > 0 && ['also', 'please', 'to'].includes(word(length))) length += 1;
  const verb = tokens[at + length];
  const comma = tokens[at - 1]?.text.endsWith(',') === true;
  if ((length > 0 || comma) && verb !== undefined && !verb.quoted && isVerb(stem(plain(verb.text)))) {
    // A verb that is a file's name or stands alone at the end is an object: "search and replace".
    return tokens[at + length + 1] === undefined || verb.text.includes('.') ? undefined : { length, after };
  }
  return undefined;
}

function plain(token: string): string {
  let to = token.length;
  while (to > 0 && !isWordCharacter(token[to - 1] ?? '')) to -= 1;
  return token.slice(0, to).toLowerCase();
}

function endsSentence(token: string): boolean {
  const last = token.at(-1) ?? '';
  return last === '!' || last === '?' || last === ';' || (last === '.' && token.length > 1);
}

function hasWords(text: string): boolean {
  return wordsOf(text).length > 0;
}
