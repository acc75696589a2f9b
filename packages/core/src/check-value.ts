import { quoteName } from './chat/warning.ts';
import { DragomanError } from './errors.ts';

/**
 * What an option has to be: one of these values, a whole number from this one on (or infinity), an object with some of these
 * fields and no others, or what the function lets pass, which throws for all else. `path`: the option, as one would write it.
 */
export type Check = readonly (string | boolean)[] | number | FieldChecks | ((value: unknown, path: string) => void);

/** Checks for all fields of an object, by name. */
export interface FieldChecks {
  readonly [name: string]: Check;
}

/** What each field of an object has to be. */
export type Checks<Fields> = { readonly [Field in keyof Required<Fields>]: Check };

/** Refuses `value`: `remedy` says what to give. */
export function refuse(path: string, value: unknown, remedy: string): never {
  throw new DragomanError('config-invalid', `${path} is ${shown(value)}: ${remedy}`, { param: path });
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return quoteName(value);
  if (Object(value) !== value) return String(value);
  return Array.isArray(value) ? 'a list' : `of the type "${typeof value}"`;
}

export const flag: Check = [true, false];

/** Nothing is wrong here: who asks looks for himself. */
export const anything: Check = () => {};

/** A value of this type. `wanted`: what to give, in words. */
export function ofType(type: 'function' | 'string', wanted: string): Check {
  return (value, path) => {
    if (typeof value !== type) refuse(path, value, `give it ${wanted}, or leave it out.`);
  };
}

export const callback = ofType('function', 'a function');

/** Something with these methods. `instance`: what to give, such as `a MemoryCallIdStore`. */
export function having(methods: readonly string[], instance: string) {
  return (value: unknown, path: string): void => {
    const fields = Object(value);
    if (methods.some((name) => typeof fields[name] !== 'function')) refuse(path, value, `give it ${instance}.`);
  };
}

/**
 * Refuses all that `checks` do not let pass of the options of a function. `place`: what they are. What is undefined counts as
 * left out. Throws DragomanError `config-invalid` with the name and what is possible.
 */
export function checkOptions(value: unknown, checks: FieldChecks, place: string): void {
  checkFields(value, { checks, path: place, within: '' });
}

/** Throws DragomanError `config-invalid` unless `value` is what is wanted. */
export function check(value: unknown, wanted: Check, path: string): void {
  if (typeof wanted === 'function') wanted(value, path);
  else if (typeof wanted === 'number') {
    const isWhole = typeof value === 'number' && value === Math.floor(value);
    if (!isWhole || value < wanted) refuse(path, value, `give it a whole number from ${wanted} on, or leave it out.`);
  } else if (!isWords(wanted)) checkFields(value, { checks: wanted, path, within: `${path}.` });
  else if (!wanted.some((each) => each === value)) {
    refuse(path, value, `give it one of ${wanted.map((each) => JSON.stringify(each)).join(', ')}, or leave it out.`);
  }
}

/** `Array.isArray` does not tell a list that cannot be changed from an object. */
function isWords(wanted: Exclude<Check, number>): wanted is readonly (string | boolean)[] {
  return Array.isArray(wanted);
}

function checkFields(
  value: unknown,
  options: { readonly checks: FieldChecks; readonly path: string; readonly within: string },
): void {
  const { checks, path, within } = options;
  const known = Object.keys(checks).join(', ');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(path, value, `give it an object with some of ${known}.`);
  }
  for (const [name, each] of Object.entries(value)) {
    const param = within + name;
    const wanted = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (wanted === undefined) {
      const message = `There is no option ${JSON.stringify(param)}. Known are ${known}.`;
      throw new DragomanError('config-invalid', message, { param });
    }
    if (each !== undefined) check(each, wanted, param);
  }
}
