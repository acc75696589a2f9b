import { closest, distance } from 'fastest-levenshtein';

/** The name in `names` that `name` was probably meant to be; undefined when none is near enough to be worth asking. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const lower = name.toLowerCase();
  const nearest = closest(
    lower,
    names.map((each) => each.toLowerCase()),
  );
  const found = names.find((each) => each.toLowerCase() === nearest);
  // "on" is as near to "off" as to anything.
  const allowed = Math.min(Math.max(2, Math.floor(name.length / 3)), name.length - 1);
  if (distance(lower, nearest) <= allowed) return found;
  // The first part of one name alone: "openai" for "openai-sdk".
  const [longer, ...others] = names.filter((each) => each.toLowerCase().startsWith(`${lower}-`));
  return others.length === 0 ? longer : undefined;
}

/** The question that ends a complaint, with a leading separator; empty when nothing is near. */
export function didYouMean(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}
