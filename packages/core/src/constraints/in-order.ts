import { type Rules, upTo } from './rules.ts';

/** A member of an object, as rules. */
export interface MemberRules {
  /** As it comes before all others. */
  readonly first: string;
  /** As it comes after another one. */
  readonly next: string;
  readonly needed: boolean;
}

/** What is beside the members that are named. */
export interface BesideMembers {
  /** Any other member. */
  readonly others?: Pick<MemberRules, 'first' | 'next'> | undefined;
  /** So many others at most. Default: as many as the model likes. */
  readonly mostOthers?: number | undefined;
  /** In place of all members. Default: nothing. */
  readonly none?: string;
  /** After the last of them. Default: nothing. */
  readonly done?: string;
}

/** The members of an object in their order, of which those that are not needed may be missing; others come after them. */
export function inOrder(rules: Rules, members: readonly MemberRules[], beside: BesideMembers = {}): string {
  const { others, mostOthers, none = '""', done = '' } = beside;
  const more = others === undefined ? '' : rules.named(`(${others.next})${upTo(mostOthers)}`);
  const last = more === '' || done === '' ? `${more}${done}` : `${more} ${done}`;
  const all = others === undefined ? members : [...members, others];
  // Between tags each member is written as if it were the first.
  const isAlike = none === (done === '' ? '""' : done) && all.every(({ first, next }) => first === next);
  const firstNeeded = members.findIndex(({ needed }) => needed);
  // From the last to the first: what may follow where a member stands, each made when one before it comes to it.
  const rests: string[] = [last];
  const from = isAlike ? 0 : 1;
  for (const { next, needed } of members.slice(from).toReversed()) {
    const rest = rests.at(-1) ?? '';
    const one = rest === '' ? next : `${next} ${rest}`;
    rests.push(rules.named(needed ? one : `${one} | ${rest === '' ? '""' : rest}`));
  }
  if (isAlike) return rests.at(-1) || '""';
  // And where none stands yet, which is so up to the first that is needed.
  let first = others === undefined ? none : `${none} | ${others.first} ${last}`;
  const begins = firstNeeded < 0 ? members.length : firstNeeded + 1;
  for (let at = begins - 1; at >= 0; at -= 1) {
    const { first: begun = '', needed = false } = members[at] ?? {};
    const rest = rests[members.length - 1 - at] ?? '';
    const one = rest === '' ? begun : `${begun} ${rest}`;
    first = needed ? one : `${one} | ${first === '""' ? first : rules.named(first)}`;
  }
  return rules.named(first);
}
