import type { Clause } from './split-clauses.ts';
import { isFiller, isSpace, isWordCharacter, stem, wordsOf } from './words.ts';

/** The rest of a clause behind the first of the words, without the punctuation around it. Undefined: none stands there. */
export function phraseAfter(clause: Clause, leads: readonly string[]): string | undefined {
  const words = wordsOf(clause.text);
  for (const lead of leads) {
    for (const word of words) {
      if (word.text.toLowerCase() !== lead || isInsideMention(clause, word.at)) continue;
      const phrase = bare(clause.text.slice(word.at + lead.length));
      if (phrase !== '') return phrase;
    }
  }
  return undefined;
}

/** The rest of a clause behind the first word whose stem passes. */
export function phraseBehind(clause: Clause, isLead: (stemmed: string) => boolean): string | undefined {
  for (const word of wordsOf(clause.text)) {
    if (!isLead(stem(word.text)) || isInsideMention(clause, word.at)) continue;
    const phrase = bare(clause.text.slice(word.at + word.text.length));
    if (phrase !== '') return phrase;
  }
  return undefined;
}

/** A phrase without what follows the first of the words in it: "TODO in src" up to "in" is "TODO". */
export function upToWord(phrase: string, ends: ReadonlySet<string>): string {
  for (const word of wordsOf(phrase)) {
    if (word.at > 0 && ends.has(word.text.toLowerCase())) return bare(phrase.slice(0, word.at));
  }
  return phrase;
}

/** A phrase without articles and other fillers in front. */
export function withoutFillers(phrase: string): string {
  for (const word of wordsOf(phrase)) {
    if (!isFiller(stem(word.text))) return bare(phrase.slice(word.at));
  }
  return phrase;
}

/** A phrase without white space and punctuation around it. */
export function bare(phrase: string): string {
  let from = 0;
  let to = phrase.length;
  while (from < to && (isSpace(phrase[from] ?? '') || ':,="'.includes(phrase[from] ?? ''))) from += 1;
  while (to > from && (isSpace(phrase[to - 1] ?? '') || '.,;:!?"'.includes(phrase[to - 1] ?? ''))) to -= 1;
  return phrase.slice(from, to);
}

/**
 * The value that a clause gives a parameter by its name: `limit: 5`, `limit=5`, `limit 5`, or `5 lines` for `lines`.
 * Without a colon or equals sign only numbers count, since names of parameters are common words.
 */
export function namedValue(clause: Clause, name: string): string | undefined {
  const lower = clause.text.toLowerCase();
  const wanted = name.toLowerCase();
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1)) {
    const to = at + wanted.length;
    if (isWordCharacter(lower[at - 1] ?? ' ') || isWordCharacter(lower[to] ?? ' ')) continue;
    let next = to;
    while (lower[next] === ' ') next += 1;
    const isSet = lower[next] === ':' || lower[next] === '=';
    if (isSet) next += 1;
    while (lower[next] === ' ') next += 1;
    const mention = clause.mentions.find(({ from }) => from === next);
    if (mention !== undefined && (isSet || mention.kind === 'number')) return mention.text;
    if (isSet) {
      const word = wordsOf(clause.text.slice(next))[0];
      if (word?.at === 0) return word.text;
    }
    const before = clause.mentions.find((item) => item.kind === 'number' && item.to === at - 1);
    if (before !== undefined) return before.text;
  }
  return undefined;
}

function isInsideMention(clause: Clause, at: number): boolean {
  return clause.mentions.some((mention) => mention.kind !== 'name' && mention.from <= at && at < mention.to);
}
