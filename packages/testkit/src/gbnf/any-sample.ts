import { randomInteger } from '../cutters/seeded-random.ts';

/** What breaks out of a grammar that takes it for more than data. */
export const awkward = [
  ...['', 'plain', '"', '\\', '\\"', ']', '[^a]', '|', '::=', 'root ::= "x"', '\n', '\r\n', '\t', '\u0000', '\u001f'],
  ...['\u007f', 'é', '→', '𝄞', '\u2028', '\ufeff', '{0,9}', '(', ')*', '# no', "'", '-', '^', '\\x41', '<tag>'],
];

export interface Sample {
  readonly schema: object;
  readonly value: unknown;
}

type Random = () => number;
const pick = <Each>(random: Random, from: readonly Each[]): Each | undefined =>
  from[randomInteger(random, 0, from.length - 1)];
const isHeads = (random: Random) => random() < 0.5;
const anyText = (random: Random, least: number, most: number) => {
  const letters = [...awkward.join('')];
  return Array.from({ length: randomInteger(random, least, most) }, () => pick(random, letters)).join('');
};
const remarks = {
  title: 'T "x"',
  description: 'a\n"b" \\',
  default: 1,
  examples: [1],
  'x-unknown': { a: [] },
  format: 'uri',
};

/** A schema as agents write them, and a value that fits it; of `oneOf`, it may fit more than one. */
export function anySample(random: Random, depth: number): Sample {
  const kinds = ['string', 'bounded', 'integer', 'number', 'boolean', 'null', 'enum', 'const', 'any'];
  const kind = pick(random, depth === 0 ? kinds : [...kinds, 'object', 'object', 'array', 'either', 'all', 'types']);
  const inner = () => anySample(random, depth - 1);
  switch (kind) {
    case 'string':
      return { schema: { type: 'string', ...remarks }, value: anyText(random, 0, 9) };
    case 'bounded':
      return { schema: { type: 'string', minLength: 2, maxLength: 6 }, value: anyText(random, 2, 6) };
    case 'integer': {
      const least = randomInteger(random, -1200, 1200);
      const value = least + randomInteger(random, 0, 2e4);
      const bounds = { minimum: least, ...(isHeads(random) ? { maximum: value + randomInteger(random, 0, 30) } : {}) };
      return { schema: { type: 'integer', ...bounds }, value };
    }
    case 'number':
      return { schema: { type: 'number' }, value: pick(random, [0, -1.5, 1e21, 3e-7, 42, -0.25]) };
    case 'boolean':
      return { schema: { type: 'boolean' }, value: isHeads(random) };
    case 'null':
      return { schema: { type: ['string', 'null'] }, value: isHeads(random) ? null : 'x' };
    case 'enum': {
      const listed = [...awkward, 1, null, true, { a: ['"'] }];
      return { schema: { enum: listed }, value: pick(random, listed) };
    }
    case 'const': {
      const value = { [anyText(random, 1, 3)]: [anyText(random, 1, 5)] };
      return { schema: { const: value }, value };
    }
    case 'array': {
      const { schema, value } = inner();
      const count = randomInteger(random, 1, 3);
      return { schema: { type: 'array', items: schema, minItems: 1 }, value: Array(count).fill(value) };
    }
    case 'either': {
      const [one, other] = [inner(), inner()];
      const keyword = isHeads(random) ? 'anyOf' : 'oneOf';
      return { schema: { [keyword]: [{ type: 'null' }, other.schema, one.schema] }, value: one.value };
    }
    case 'all': {
      const [one, other] = [inner(), inner()];
      const part = (key: string, { schema }: Sample) => ({
        type: 'object',
        properties: { [key]: schema },
        required: [key],
      });
      return { schema: { allOf: [part('one', one), part('two', other)] }, value: { one: one.value, two: other.value } };
    }
    case 'types':
      return { schema: { type: ['object', 'array', 'string'] }, value: pick(random, [{ a: 1 }, [1, 'x'], 'y']) };
    case 'object': {
      const keys = [...new Set(Array.from({ length: randomInteger(random, 1, 4) }, () => anyText(random, 1, 4)))];
      const members = keys.map((key) => ({ key, isNeeded: isHeads(random), isThere: isHeads(random), of: inner() }));
      const schema = {
        type: 'object',
        properties: Object.fromEntries(members.map(({ key, of }) => [key, of.schema])),
        required: members.flatMap(({ key, isNeeded }) => (isNeeded ? [key] : [])),
        additionalProperties: false,
      };
      const there = members.filter(({ isNeeded, isThere }) => isNeeded || isThere);
      // JavaScript puts keys that are numbers in front.
      return { schema, value: Object.fromEntries(there.map(({ key, of }) => [key, of.value])) };
    }
    default:
      return { schema: {}, value: pick(random, [1, 'x', [{ a: null }], { b: [] }]) };
  }
}
