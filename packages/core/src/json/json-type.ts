/** JSON Schema's names for the kinds of values. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** A set of types, one bit each; whole numbers and fractions are told apart, since `integer` admits only the former. */
export type TypeSet = number;

const fraction = 4;

/** Each type's set of one; `number` holds `integer`. */
export const typeBits: Readonly<Record<JsonType, TypeSet>> = {
  string: 1,
  integer: 2,
  number: 2 | fraction,
  boolean: 8,
  null: 16,
  object: 32,
  array: 64,
};

/** Every type. */
export const allTypes: TypeSet = 127;

/** Whether it is the name of a type. */
export function namesType(name: string): name is JsonType {
  return Object.hasOwn(typeBits, name);
}

/** What types are called in the languages that tools are written in. */
const otherNames: ReadonlyMap<string, JsonType> = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
]);

/** The value of a `type` keyword. A name that means no type of JSON says nothing: all types. */
export function namedTypes(type: unknown): TypeSet {
  if (typeof type === 'string') {
    const name = otherNames.get(type) ?? type;
    return namesType(name) ? typeBits[name] : allTypes;
  }
  if (!Array.isArray(type) || type.length === 0) return allTypes;
  return type.reduce<TypeSet>((set, name) => set | (typeof name === 'string' ? namedTypes(name) : allTypes), 0);
}

/** What JSON Schema calls the type of a parsed value, where no number is told from another one. */
export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The type of a value, as a set of one. */
export function typeOfValue(value: unknown): TypeSet {
  if (typeof value === 'number') return Number.isInteger(value) ? typeBits.integer : fraction;
  return namedTypes(kindOfValue(value));
}
