/**
 * What a table is described with. Of one description come the types of tables, their check, the JSON Schema of the
 * configuration and the reference in docs/adding-a-dialect.md.
 */
export interface Kind<Value> {
  readonly is: KindOfValue;
  /** Never there: it carries the type. */
  readonly value?: Value;
}

type KindOfValue =
  | { readonly type: 'text'; readonly longest: number; readonly mayBeEmpty: boolean }
  | { readonly type: 'switch' }
  | { readonly type: 'any' }
  | { readonly type: 'word'; readonly words: readonly string[]; readonly meaning?: Meaning }
  | { readonly type: 'list'; readonly of: Kind<unknown>; readonly mayBeEmpty: boolean }
  /** Told apart by what a value is: a text, a list or an object. */
  | { readonly type: 'either'; readonly of: readonly Kind<unknown>[] }
  | { readonly type: 'object'; readonly name: string; readonly fields: Fields }
  /** Told apart by the field `form`; `shared`: what they all hold, where a form says nothing else of it. */
  | {
      readonly type: 'forms';
      readonly name: string;
      readonly shared: Fields;
      readonly forms: Readonly<Record<string, Fields>>;
    };

/** What words say, where a sentence is needed for each. */
interface Meaning {
  readonly name: string;
  readonly of: Readonly<Record<string, string>>;
}

/** A field of an object, with the sentence that explains it. */
export interface Field<Value, Needed extends boolean = boolean> {
  readonly kind: Kind<Value>;
  readonly says: string;
  readonly needed: Needed;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type NeededOf<All extends Fields> = {
  [Key in keyof All]: All[Key] extends Field<unknown, true> ? Key : never;
}[keyof All];

type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;

/** The type of an object with these fields. */
export type ObjectOf<All extends Fields> = {
  readonly [Key in NeededOf<All>]: ValueOf<All[Key]>;
} & {
  readonly [Key in Exclude<keyof All, NeededOf<All>>]?: ValueOf<All[Key]>;
};

/** A field that has to be there. */
export function required<Value>(kind: Kind<Value>, says: string): Field<Value, true> {
  return { kind, says, needed: true };
}

/** A field that may be left out. */
export function optional<Value>(kind: Kind<Value>, says: string): Field<Value, false> {
  return { kind, says, needed: false };
}

/** More is no marker that a model was taught. In UTF-16 units. */
const longestText = 256;
/** What a model reads in one piece. */
const longestProse = 4096;

export const text: Kind<string> = { is: { type: 'text', longest: longestText, mayBeEmpty: true } };
/** A text that says something. */
export const someText: Kind<string> = { is: { type: 'text', longest: longestText, mayBeEmpty: false } };
export const prose: Kind<string> = { is: { type: 'text', longest: longestProse, mayBeEmpty: true } };
export const onOff: Kind<boolean> = { is: { type: 'switch' } };
export const anything: Kind<unknown> = { is: { type: 'any' } };

export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return { is: { type: 'word', words } };
}

export function listOf<Value>(of: Kind<Value>): Kind<readonly Value[]> {
  return { is: { type: 'list', of, mayBeEmpty: true } };
}

/** A list of at least one. */
export function atLeastOne<Value>(of: Kind<Value>): Kind<readonly Value[]> {
  return { is: { type: 'list', of, mayBeEmpty: false } };
}

export function either<One, Other>(one: Kind<One>, other: Kind<Other>): Kind<One | Other> {
  return { is: { type: 'either', of: [one, other] } };
}

/** `name`: what the reference calls it. */
export function object<const All extends Fields>(name: string, fields: All): Kind<ObjectOf<All>> {
  return { is: { type: 'object', name, fields } };
}

/** Objects with a field `form`, and with what they share and what each form has of its own. */
export function byForm<const Shared extends Fields, const All extends Readonly<Record<string, Fields>>>(
  name: string,
  shared: Shared,
  forms: All,
): Kind<{ [Form in keyof All]: ObjectOf<Merged<Shared, All[Form]>> & { readonly form: Form } }[keyof All]> {
  return { is: { type: 'forms', name, shared, forms } };
}

/** The fields of both; of two of one name the second. */
export type Merged<One extends Fields, Other extends Fields> = {
  readonly [Key in keyof One | keyof Other]: Key extends keyof Other
    ? Other[Key]
    : Key extends keyof One
      ? One[Key]
      : never;
};
