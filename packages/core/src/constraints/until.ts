import { anyBut, quoted, type Rules } from './rules.ts';

/**
 * Any text in which none of the literals stands: one rule for each beginning of a literal that may have been written, as in the
 * search of Aho and Corasick. The text may end anywhere.
 */
export function until(literals: readonly string[], rules: Rules): string {
  // No literal holds this sign.
  return rules.of(`\ue000${literals.join('\ue000')}`, () => writeUntil(literals, rules));
}

/** A beginning of literals. */
interface Beginning {
  readonly rule: ReturnType<Rules['later']>;
  readonly next: Map<string, Beginning>;
  /** The longest end of it that is a shorter beginning. */
  end: Beginning | undefined;
  /** A literal ends with it. */
  isWhole: boolean;
}

function writeUntil(literals: readonly string[], rules: Rules): string {
  const begin = (): Beginning => ({ rule: rules.later(), next: new Map(), end: undefined, isWhole: false });
  const start = begin();
  for (const literal of literals) {
    let at = start;
    for (const letter of literal) {
      const next = at.next.get(letter) ?? begin();
      at.next.set(letter, next);
      at = next;
    }
    at.isWhole = true;
  }
  // The shorter ones first: what a longer one ends with is known by then.
  const all = [start];
  for (const each of all) {
    for (const [letter, next] of each.next) {
      next.end = each === start ? start : follow(each.end ?? start, letter);
      next.isWhole ||= next.end.isWhole;
      all.push(next);
    }
  }
  for (const each of all) each.rule.define(each.isWhole ? '""' : ruleOf(each, start));
  return start.rule.name;
}

/** Where a letter leads after this beginning. */
function follow(from: Beginning, letter: string): Beginning {
  for (let at: Beginning | undefined = from; at !== undefined; at = at.end) {
    const next = at.next.get(letter);
    if (next !== undefined) return next;
    if (at.end === undefined) return at;
  }
  return from;
}

function ruleOf(from: Beginning, start: Beginning): string {
  const letters = new Set<string>();
  for (let at: Beginning | undefined = from; at !== undefined; at = at.end)
    for (const letter of at.next.keys()) letters.add(letter);
  const leading = [...letters].map((letter) => ({ letter, to: follow(from, letter) }));
  const forms = leading.flatMap(({ letter, to }) => (to.isWhole ? [] : [`${quoted(letter)} ${to.rule.name}`]));
  return `(${[`${anyBut([...letters])} ${start.rule.name}`, ...forms].join(' | ')})?`;
}
