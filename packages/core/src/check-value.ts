import { quoteName } from './chat/warning.ts';
import { DragomanError } from './errors.ts';

/**
 * What an option has to be: one of these values, a whole number from this one on (or infinity), of this type, an object with
 * some of these fields and no others, or what the function lets pass, which throws for all else. `path`: the option, as one
 * would write it.
 */
export type Check =
  | readonly (string | boolean)[]
  | number
  | 'function'
  | 'string'
  | FieldChecks
  | ((value: unknown, path: string) => void);

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
  checkFields(value, checks, { path: place, within: '' });
}

/** Throws DragomanError `config-invalid` unless `value` is what is wanted. */
export function check(value: unknown, wanted: Check, path: string): void {
  if (typeof wanted === 'function') wanted(value, path);
  else if (typeof wanted === 'object' && !isWords(wanted)) checkFields(value, wanted, { path, within: `${path}.` });
  else if (!fits(value, wanted)) refuse(path, value, `give it ${inWords(wanted)}, or leave it out.`);
}

/** What one value is compared with. */
type Simple = Exclude<Check, FieldChecks | ((value: unknown, path: string) => void)>;

function fits(value: unknown, wanted: Simple): boolean {
  if (typeof wanted === 'string') return typeof value === wanted;
  if (typeof wanted === 'object') return wanted.some((each) => each === value);
  return typeof value === 'number' && value === Math.floor(value) && value >= wanted;
}

function inWords(wanted: Simple): string {
  if (typeof wanted === 'string') return `a ${wanted}`;
  if (typeof wanted === 'number') return `a whole number from ${wanted} on`;
  return `one of ${wanted.map((each) => JSON.stringify(each)).join(', ')}`;
}

/** `Array.isArray` does not tell a list that cannot be changed from an object. */
function isWords(wanted: FieldChecks | readonly (string | boolean)[]): wanted is readonly (string | boolean)[] {
  return Array.isArray(wanted);
}

function checkFields(
  value: unknown,
  checks: FieldChecks,
  { path, within }: { readonly path: string; readonly within: string },
): void {
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
