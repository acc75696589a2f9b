import type { Rules } from './rules.ts';

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
  // From the last to the first: what may follow where nothing stands yet, and where something does.
  const times = mostOthers === undefined ? '*' : `{0,${mostOthers}}`;
  const more = others === undefined ? '' : `(${others.next})${times}`;
  let next = `${more} ${done}`.trim();
  let first = others === undefined ? none : `${none} | ${others.first} ${next}`;
  for (const each of members.toReversed()) {
    const rest = next === '' ? '' : rules.only(next);
    const [begun, on] = [`${each.first} ${rest}`, `${each.next} ${rest}`];
    first = each.needed ? begun : `${begun} | ${first === '""' ? first : rules.only(first)}`;
    next = each.needed ? on : `${on} | ${rest === '' ? '""' : rest}`;
  }
  return rules.only(first);
}
