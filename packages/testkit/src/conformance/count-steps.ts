type Cost = (given: unknown, result: unknown, owner: unknown) => number;

/** What looks at characters or at the items of lists, and at how many at most. */
const counted: readonly (readonly [owner: object, name: string, cost: Cost])[] = [
  [String.prototype, 'charCodeAt', () => 1],
  [String.prototype, 'charAt', () => 1],
  [String.prototype, 'startsWith', (literal) => lengthOf(literal)],
  [String.prototype, 'slice', (_, result) => lengthOf(result)],
  [String.prototype, 'trim', (_, result) => lengthOf(result)],
  [Array.prototype, 'join', (_, result) => lengthOf(result)],
  ...[
    'indexOf',
    'includes',
    'find',
    'findIndex',
    'findLast',
    'findLastIndex',
    'some',
    'every',
    'filter',
    'map',
    'shift',
  ].map((name) => [Array.prototype, name, ofItems] as const),
  [Array.prototype, 'slice', (_, result) => ofItems(_, _, result)],
];

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 1;
}

function ofItems(_given: unknown, _result: unknown, owner: unknown): number {
  return Array.isArray(owner) ? owner.length : 1;
}

/**
 * How many characters and items of lists `work` looks at or copies: a measure of its cost that is the same on every machine,
 * however busy. Loops and maps are not counted, so what grows only there is not seen. Counts by standing before the
 * methods of strings and lists, which nothing else uses meanwhile, since `work` is synchronous.
 */
export function countSteps(work: () => void): number {
  let steps = 0;
  const originals = counted.map(([owner, name, cost]) => {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') throw new Error(`${name} is no method`);
    Reflect.set(owner, name, function (this: unknown, ...given: unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, given);
      steps += cost(given[0], result, this);
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

/**
 * The power of the size with which the steps of `work` grow: 1 is linear. Compares `size` with four times as much. Throws where
 * fewer steps are counted than there are items, since nothing could be said of what does the work.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  const [few, many] = [countSteps(() => work(size)), countSteps(() => work(4 * size))];
  if (few < size) throw new Error(`Only ${few} steps were counted of work on ${size} items`);
  return Math.log(many / few) / Math.log(4);
}
