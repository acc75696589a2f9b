import { kindOfValue } from '../../json/json-type.ts';
import { dialectTable } from '../table.ts';
import type { Fields, Kind } from './fields.ts';

/** A place in a table, and what is wrong there with what to write instead. */
export interface TableProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
  /** A word that is none of those which are known here: one of them may be meant. */
  readonly misspelt?: { readonly word: string; readonly known: readonly string[] };
}

type Path = TableProblem['path'];

/** So many tokens of one kind, in so many spellings, no model has. */
const mostTexts = 256;

/** Where a table is no `DialectTable`: what callers without types have left out, misspelt, or written of another type. */
export function checkShape(table: unknown): readonly TableProblem[] {
  return checkKind(table, dialectTable, []);
}

function checkKind(value: unknown, kind: Kind<unknown>, path: Path): readonly TableProblem[] {
  const { is } = kind;
  const unless = (fits: boolean, reason = `must be ${wordsFor(kind)}`) => (fits ? [] : [{ path, reason }]);
  switch (is.type) {
    case 'any':
      return [];
    case 'switch':
      return unless(typeof value === 'boolean');
    case 'word':
      return is.words.some((word) => word === value) ? [] : [unknownWord(value, is.words, path)];
    case 'text':
      if (typeof value !== 'string') return unless(false);
      if (value === '' && !is.mayBeEmpty) return unless(false, 'must not be empty');
      return unless(value.length <= is.longest, `must not be longer than ${is.longest} characters`);
    case 'list':
      if (!Array.isArray(value)) return unless(false);
      if (value.length === 0 && !is.mayBeEmpty) return unless(false, 'must not be empty');
      if (value.length > mostTexts) return unless(false, `must not hold more than ${mostTexts} texts`);
      return value.flatMap((each: unknown, at) => checkKind(each, is.of, [...path, at]));
    case 'either': {
      const meant = is.of.find((each) => typeFor(each) === kindOfValue(value));
      return meant === undefined ? unless(false) : checkKind(value, meant, path);
    }
    case 'object':
      return kindOfValue(value) === 'object' ? checkFields(value, is.fields, path) : unless(false);
    case 'forms': {
      if (kindOfValue(value) !== 'object') return unless(false);
      const form = memberOf(value, 'form');
      const known = Object.entries(is.forms).find(([name]) => name === form);
      if (known !== undefined) return checkFields(value, { ...is.shared, ...known[1] }, path, is.forms);
      return [unknownWord(form, Object.keys(is.forms), [...path, 'form'])];
    }
  }
}

/** `undefined` is no member, as JSON has none. `forms`: of an object whose `form` is one of these, the fields of each. */
function checkFields(
  value: unknown,
  fields: Fields,
  path: Path,
  forms: Readonly<Record<string, Fields>> = {},
): readonly TableProblem[] {
  const names = Object.keys(forms);
  const known = [...(names.length === 0 ? [] : ['form']), ...Object.keys(fields)];
  const wrong = Object.entries(fields).flatMap(([key, { kind, needed, says }]): readonly TableProblem[] => {
    const member = memberOf(value, key);
    const at = [...path, key];
    if (member !== undefined) return checkKind(member, kind, at);
    return needed ? [{ path: at, reason: `is missing; must be ${wordsFor(kind)}. ${says}` }] : [];
  });
  const unknown = Object.keys(value ?? {}).filter((key) => !known.includes(key) && memberOf(value, key) !== undefined);
  return [
    ...wrong,
    ...unknown.map((key) => {
      const at = [...path, key];
      const belongs = names.filter((name) => Object.hasOwn(forms[name] ?? {}, key));
      if (belongs.length > 0)
        return { path: at, reason: `has no meaning in this form; it is a field of ${belongs.join(', ')}` };
      return { path: at, reason: `is unknown; known: ${known.join(', ')}`, misspelt: { word: key, known } };
    }),
  ];
}

function unknownWord(word: unknown, known: readonly string[], path: Path): TableProblem {
  const reason = `must be one of ${known.join(', ')}`;
  return { path, reason, ...(typeof word === 'string' && { misspelt: { word, known } }) };
}

/** What is to be written where such a value stands. */
function wordsFor({ is }: Kind<unknown>): string {
  switch (is.type) {
    case 'any':
      return 'any value';
    case 'switch':
      return 'true or false';
    case 'word':
      return `one of ${is.words.join(', ')}`;
    case 'text':
      return 'a text';
    case 'list':
      return `a list of ${membersOf(is.of)}`;
    case 'either':
      return is.of.map(wordsFor).join(' or ');
    case 'object':
    case 'forms':
      return 'an object';
  }
}

function membersOf({ is }: Kind<unknown>): string {
  if (is.type === 'either') return is.of.map(membersOf).join(' and ');
  return is.type === 'object' || is.type === 'forms' ? 'objects' : 'texts';
}

/** What `kindOfValue` says of such a value. */
function typeFor({ is }: Kind<unknown>): string | undefined {
  switch (is.type) {
    case 'switch':
      return 'boolean';
    case 'word':
    case 'text':
      return 'string';
    case 'list':
      return 'array';
    case 'object':
    case 'forms':
      return 'object';
    default:
      return undefined;
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
