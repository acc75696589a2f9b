/** What looks at characters, and at how many. */
const counted: readonly (readonly [owner: object, name: string, cost: (given: unknown, result: unknown) => number])[] =
  [
    [String.prototype, 'charCodeAt', () => 1],
    [String.prototype, 'charAt', () => 1],
    [String.prototype, 'startsWith', (literal) => lengthOf(literal)],
    [String.prototype, 'slice', (_, result) => lengthOf(result)],
    [String.prototype, 'trim', (_, result) => lengthOf(result)],
    [Array.prototype, 'join', (_, result) => lengthOf(result)],
  ];

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 1;
}

/**
 * How many characters `work` looks at or copies: a measure of its cost that is the same on every machine, however busy. Counts
 * by standing in front of the methods of strings, which nothing else uses meanwhile, since `work` is synchronous.
 */
export function countSteps(work: () => void): number {
  let steps = 0;
  const originals = counted.map(([owner, name, cost]) => {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') throw new Error(`${name} is no method`);
    Reflect.set(owner, name, function (this: unknown, ...given: unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, given);
      steps += cost(given[0], result);
      return result;
    });
    return original;
  });
  try {
    work();
  } finally {
    for (const [index, [owner, name]] of counted.entries()) Reflect.set(owner, name, originals[index]);
  }
  return steps;
}
