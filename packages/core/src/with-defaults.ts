/** What is given, and the defaults for the rest. What is undefined counts as left out. */
export function withDefaults<Whole extends object>(
  defaults: Whole,
  given: { readonly [Field in keyof Whole]?: Whole[Field] | undefined } = {},
): Whole {
  const whole = { ...defaults };
  for (const field in given) {
    const value = given[field];
    if (value !== undefined) whole[field] = value;
  }
  return whole;
}
