import type { CallTable } from './dialect-table.ts';

/** A place of a table at which something is missing, and what. */
interface Missing {
  readonly path: readonly string[];
  readonly reason: string;
}

/** The texts that a call needs, by its kernel. */
const neededTexts: Readonly<Record<CallTable['kernel'], readonly (readonly string[])[]>> = {
  json: [['opener'], ['closer']],
  headed: [['opener'], ['separator'], ['closer']],
  tagged: [['opener'], ['end'], ['closer'], ['parameter', 'opener'], ['parameter', 'end'], ['parameter', 'closer']],
  python: [['opener'], ['closer']],
  gemma: [['opener'], ['closer'], ['quote']],
};

/** What a caller without types has left out of a table. Empty: all that its kernel needs is there. */
export function findMissing(table: unknown): readonly Missing[] {
  const kernel = at(table, ['call', 'kernel']);
  const known = Object.entries(neededTexts).find(([name]) => name === kernel);
  if (known === undefined) {
    return [{ path: ['call', 'kernel'], reason: `must be one of ${Object.keys(neededTexts).join(', ')}` }];
  }
  const around = ['section', 'reasoning', 'result'].flatMap((key) =>
    at(table, [key]) === undefined
      ? []
      : [
          [key, 'opener'],
          [key, 'closer'],
        ],
  );
  const block =
    at(table, ['call', 'block']) === undefined
      ? []
      : [
          ['block', 'opener'],
          ['block', 'closer'],
        ];
  const needed = [...[...known[1], ...block].map((path) => ['call', ...path]), ...around];
  return needed
    .filter((path) => typeof at(table, path) !== 'string')
    .map((path) => ({ path, reason: 'must be a text' }));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
