import { DragomanError } from './errors.ts';

/** Throws DragomanError `config-invalid` for a value that an option cannot have. `path`: the option, as one would write it. */
export type Check = (value: unknown, path: string) => void;

/** What each field of an object has to be. */
export type Checks<Fields> = { readonly [Field in keyof Required<Fields>]: Check };

/** So much of a text that is refused is quoted, in UTF-16 units. */
const longestShown = 60;

/** Refuses `value`: `remedy` says what to give. */
export function refuse(path: string, value: unknown, remedy: string): never {
  throw new DragomanError('config-invalid', `${path} is ${shown(value)}: ${remedy}`, { param: path });
}

function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value);
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (value === undefined) return 'missing';
  return Array.isArray(value) ? 'a list' : `of the type "${typeof value}"`;
}

/** One of these values. */
export function oneOf(known: readonly (string | boolean)[]): Check {
  return (value, path) => {
    if (known.some((each) => each === value)) return;
    refuse(path, value, `give it one of ${known.map((each) => JSON.stringify(each)).join(', ')}, or leave it out.`);
  };
}

export const flag = oneOf([true, false]);

/** A whole number that is not less than `least`. */
export function wholeNumber(least: number): Check {
  return (value, path) => {
    if (Number.isSafeInteger(value) && Number(value) >= least) return;
    refuse(path, value, `give it a whole number from ${least} on, or leave it out.`);
  };
}

export const callback: Check = (value, path) => {
  if (typeof value !== 'function') refuse(path, value, 'give it a function, or leave it out.');
};

/** Something with these methods. `instance`: what to give, such as `a MemoryCallIdStore`. */
export function having(methods: readonly string[], instance: string): Check {
  return (value, path) => {
    if (typeof value === 'object' && value !== null && methods.every((name) => isMethod(value, name))) return;
    refuse(path, value, `give it ${instance}.`);
  };
}

function isMethod(value: object, name: string): boolean {
  return name in value && typeof Reflect.get(value, name) === 'function';
}

/** Checks for all fields of an object, by name. */
export type FieldChecks = Readonly<Record<string, Check>>;

/** An object with some of these fields, and no others. What is undefined counts as left out. */
export function fieldsOf(checks: FieldChecks): Check {
  return (value, path) => checkFields(value, { checks, path, within: `${path}.` });
}

/** The same for all the options of a function, which are named without a path. `place`: what they are. */
export function checkOptions(value: unknown, checks: FieldChecks, place: string): void {
  checkFields(value, { checks, path: place, within: '' });
}

/** Refuses an object without this field as `check` does: `checkOptions` and `fieldsOf` let it be left out. */
export function requireField(value: object, name: string, check: Check): void {
  if (Reflect.get(value, name) === undefined) check(undefined, name);
}

function checkFields(
  value: unknown,
  options: { readonly checks: FieldChecks; readonly path: string; readonly within: string },
): void {
  const { checks, path, within } = options;
  const known = () => Object.keys(checks).join(', ');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(path, value, `give it an object with some of ${known()}.`);
  }
  for (const [name, each] of Object.entries(value)) {
    const param = within + name;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const message = `There is no option ${JSON.stringify(param)}. Known are ${known()}.`;
      throw new DragomanError('config-invalid', message, { param });
    }
    if (each !== undefined) check(each, param);
  }
}
