import { anyBut, quoted, type Rules } from './rules.ts';

/**
 * Any text in which none of the literals stands: a part for each beginning of a literal that may have been written, as in the
 * search of Aho and Corasick. The text may end anywhere. What several letters lead to is a rule; all else stands where it is led to.
 */
export function until(literals: readonly string[], rules: Rules): string {
  // No literal holds this sign.
  return rules.of(`\ue000${literals.join('\ue000')}`, () => {
    const [literal = '', ...others] = literals;
    const [first = '', ...letters] = literal;
    const isPlain = others.length === 0 && letters.length > 0 && !letters.includes(first);
    return isPlain ? untilOne(first, letters, rules) : writeUntil(literals, rules);
  });
}

/** The same of one literal whose first letter is nowhere else in it, as in `</path>`: from wherever it does not go on, it begins anew. */
function untilOne(first: string, letters: readonly string[], rules: Rules): string {
  const [start, begun] = [rules.later(), rules.later()];
  const anew = `${quoted(first)} ${begun.name})?`;
  start.define(`(${anyBut([first])} ${start.name} | ${anew}`);
  let rest = '';
  for (const letter of letters.toReversed()) {
    const on = rest === '' ? '' : `${quoted(letter)} ${rest} | `;
    rest = `(${anyBut([letter, first])} ${start.name} | ${on}${anew}`;
  }
  begun.define(rest);
  return start.name;
}

/** A beginning of literals. */
interface Beginning {
  /** The name of its rule, if it has one. */
  rule: string;
  readonly next: Map<string, Beginning>;
  /** The longest end of it that is a shorter beginning. */
  end: Beginning | undefined;
  /** A literal ends with it. */
  isWhole: boolean;
}

function writeUntil(literals: readonly string[], rules: Rules): string {
  const begin = (): Beginning => ({ rule: '', next: new Map(), end: undefined, isWhole: false });
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
  const leads = new Map(all.map((each) => [each, each.isWhole ? [] : leadsOf(each)] as const));
  // The start is come to by all other letters.
  const shared = new Map([[start, rules.later()]]);
  const seen = new Set<Beginning>();
  for (const { to } of [...leads.values()].flat()) {
    if (seen.has(to) && !shared.has(to) && !to.isWhole) shared.set(to, rules.later());
    seen.add(to);
  }
  for (const [each, { name }] of shared) each.rule = name;
  const textOf = (each: Beginning): string => {
    const forms = (leads.get(each) ?? []).flatMap(({ letter, to }) =>
      to.isWhole ? [] : [`${quoted(letter)} ${to.rule || textOf(to)}`],
    );
    const letters = (leads.get(each) ?? []).map(({ letter }) => letter);
    return `(${[`${anyBut(letters)} ${start.rule}`, ...forms].join(' | ')})?`;
  };
  for (const [each, { define }] of shared) define(textOf(each));
  return start.rule;
}

interface Lead {
  readonly letter: string;
  readonly to: Beginning;
}

/** Where letters lead that go on with a literal, or begin one. */
function leadsOf(from: Beginning): readonly Lead[] {
  const letters = new Set<string>();
  for (let at: Beginning | undefined = from; at !== undefined; at = at.end)
    for (const letter of at.next.keys()) letters.add(letter);
  return [...letters].map((letter) => ({ letter, to: follow(from, letter) }));
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
