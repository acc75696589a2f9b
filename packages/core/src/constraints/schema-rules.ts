import type { JsonSchema } from '../chat/tool.ts';
import { isKeywords, type Keywords, listMember, ownMember, SchemaDocument } from '../json/schema-document.ts';
import { inOrder } from './in-order.ts';
import type { NotationRules } from './notation.ts';
import { oneOf, type Rules } from './rules.ts';

/** Bounds beyond these are left to validation: servers unfold what is counted. */
const mostCounted = 64;
/** A rule has at least so many characters. */
const shortestRule = 20;
/** So deep schemas are followed; what lies deeper may be any value. */
const deepest = 32;

/** A value that fits a schema, as rules of a grammar. Wider than the schema where a grammar cannot say it, never narrower. */
export class SchemaRules {
  readonly #rules: Rules;
  readonly #notation: NotationRules;
  readonly #document: SchemaDocument;
  /** The rule of each schema that was referred to, so that those that hold themselves come to an end. */
  readonly #known = new Map<Keywords, string>();

  /** Of the referred ones, those that are being written, with no character before this place. */
  #begun = new Set<Keywords>();

  constructor(rules: Rules, { root, notation }: { readonly root: JsonSchema; readonly notation: NotationRules }) {
    this.#rules = rules;
    this.#notation = notation;
    this.#document = new SchemaDocument(root);
  }

  /** What stands for a value: the name of a rule. Equal schemas share one. */
  value(schema: unknown, depth = 0): string {
    if (!isKeywords(schema) || depth > deepest || !this.#rules.hasRoom()) return this.#notation.any('value');
    return this.#rules.named(this.#valueOf(schema, depth + 1));
  }

  /** Only what is referred to can hold itself. */
  #referenced(schema: unknown, depth: number): string {
    // What is nothing but itself says nothing, and servers refuse a rule that begins with itself.
    if (!isKeywords(schema) || this.#begun.has(schema)) return this.#notation.any('value');
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const { name, define } = this.#rules.later();
    this.#known.set(schema, name);
    this.#begun.add(schema);
    define(this.#valueOf(schema, depth + 1));
    this.#begun.delete(schema);
    return name;
  }

  /** What comes after a bracket may be whatever has begun around it. */
  #inside(write: () => string): string {
    const begun = this.#begun;
    this.#begun = new Set();
    const text = write();
    this.#begun = begun;
    return text;
  }

  #valueOf(schema: Keywords, depth: number): string {
    if (depth > deepest) return this.#notation.any('value');
    if (Object.hasOwn(schema, '$ref'))
      return this.#referenced(this.#document.resolve(ownMember(schema, '$ref')), depth);
    if (Object.hasOwn(schema, 'const')) return this.#given(ownMember(schema, 'const'));
    const listed = listMember(schema, 'enum');
    if (listed.length > 0 && !this.#rules.hasRoom(listed.length * shortestRule)) return this.#notation.any('value');
    if (listed.length > 0) return oneOf(listed.map((each) => this.#given(each)));
    for (const keyword of ['anyOf', 'oneOf']) {
      const forms = listMember(schema, keyword);
      if (forms.length > 0) return oneOf(forms.map((form) => this.value(merged(schema, keyword, form), depth)));
    }
    const parts = listMember(schema, 'allOf');
    if (parts.length > 0) return this.value(this.#joined(schema, parts), depth);
    const types = typesOf(schema);
    if (types.length === 0) return this.#notation.any('value');
    return oneOf(types.map((type) => this.#typed(type, schema, depth)));
  }

  #typed(type: unknown, schema: Keywords, depth: number): string {
    switch (type) {
      case 'object':
        return this.#inside(() => this.#object(schema, depth));
      case 'array':
        return this.#inside(() => this.#array(schema, depth));
      case 'string':
        return this.#string(schema);
      case 'integer':
        return wholeNumbers(...wholeBounds(schema));
      case 'number':
        return `${isNegative(schema) ? '"-"? ' : ''}${this.#rules.common('decimal')}`;
      case 'boolean':
        return `(${this.#notation.given(true)} | ${this.#notation.given(false)})`;
      case 'null':
        return this.#notation.given(null);
      default:
        return this.#notation.any('value');
    }
  }

  /** Just this value. */
  #given(value: unknown): string {
    const notation = this.#notation;
    if (typeof value !== 'object' || value === null) return notation.given(value);
    const { gap } = notation;
    const parts = Array.isArray(value)
      ? value.map((each) => this.#given(each))
      : Object.entries(value).map(([key, each]) => `${notation.givenKey(key)} ${gap} ":" ${gap} ${this.#given(each)}`);
    const [open, close] = Array.isArray(value) ? ['"["', '"]"'] : ['"{"', '"}"'];
    return [open, gap, parts.join(` ${gap} "," ${gap} `), gap, close].filter((part) => part !== '').join(' ');
  }

  #string(schema: Keywords): string {
    const [least, most] = boundsOf(schema, 'minLength', 'maxLength');
    if (least === 0 && most === undefined) return this.#notation.string;
    return this.#notation.counted((character) => counted(character, least, most));
  }

  #array(schema: Keywords, depth: number): string {
    const { gap } = this.#notation;
    const [least, most] = boundsOf(schema, 'minItems', 'maxItems');
    const fixed = listMember(schema, 'prefixItems');
    // A tuple may be longer, and shorter, than what it names.
    const item = fixed.length > 0 ? this.#notation.any('value') : this.value(ownMember(schema, 'items') ?? {}, depth);
    if (most === 0) return `"[" ${gap} "]"`;
    const more = counted(
      `"," ${gap} ${item} ${gap}`,
      Math.max(0, least - 1),
      most === undefined ? undefined : most - 1,
    );
    const items = `${item} ${gap} ${more}`;
    return `"[" ${gap} ${least > 0 ? items : `(${items})?`} "]"`;
  }

  /**
   * Properties are in the order of the schema, and others, which are there unless the schema says that there are none, after
   * them: what fits can be written so.
   */
  #object(schema: Keywords, depth: number): string {
    const { gap } = this.#notation;
    const properties = ownMember(schema, 'properties');
    const named = isKeywords(properties) ? Object.entries(properties) : [];
    if (!this.#rules.hasRoom(named.length * shortestRule)) return this.#notation.any('object');
    const given = othersOf(schema);
    const needed = new Set(listMember(schema, 'required'));
    for (const key of needed)
      if (typeof key === 'string' && !named.some(([name]) => name === key)) named.push([key, {}]);
    const beside = (one: string, needs = false) => ({ first: one, next: `"," ${gap} ${one}`, needed: needs });
    const members = named.map(([key, value]) => {
      const text = `${this.#notation.givenKey(key)} ${gap} ":" ${gap} ${this.value(value, depth)} ${gap}`;
      return beside(this.#rules.named(text), needed.has(key));
    });
    const others =
      given === false
        ? undefined
        : beside(`${this.#notation.key} ${gap} ":" ${gap} ${this.value(given, depth)} ${gap}`);
    const mostOthers = mostOthersOf(schema);
    return `"{" ${gap} ${inOrder(this.#rules, members, { others, mostOthers })} "}"`;
  }

  /** One schema that says what several say together, as far as members of an object go; else any of what they allow. */
  #joined(schema: Keywords, parts: readonly unknown[]): unknown {
    const { allOf: _, ...rest } = schema;
    const all = [rest, ...parts.map((part) => this.#afterReference(part))].filter(isKeywords);
    const areObjects = all.every((part) => [...Object.keys(part)].every((keyword) => joinable.has(keyword)));
    if (!areObjects) return {};
    return {
      type: 'object',
      properties: Object.assign({}, ...all.map((part) => ownMember(part, 'properties'))),
      required: all.flatMap((part) => listMember(part, 'required')),
      additionalProperties: all.every((part) => ownMember(part, 'additionalProperties') !== false),
    };
  }

  #afterReference(part: unknown): unknown {
    return isKeywords(part) && Object.hasOwn(part, '$ref') ? this.#document.resolve(ownMember(part, '$ref')) : part;
  }
}

/** What members may be that an object does not name: a schema, or false where there are none. Which names fit a pattern is left open. */
export function othersOf(schema: Keywords): unknown {
  const given = ownMember(schema, 'additionalProperties') ?? true;
  const patterns = ownMember(schema, 'patternProperties');
  const forms = isKeywords(patterns) ? Object.values(patterns) : [];
  if (given === true || forms.length === 0) return given;
  return { anyOf: given === false ? forms : [...forms, given] };
}

/**
 * How many members an object has at most that it does not name, where it names some and says nothing of others: a tiny model makes
 * them up until its window is full.
 */
export function mostOthersOf(schema: Keywords): number | undefined {
  const isSilent = Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'additionalProperties');
  return isSilent ? mostUnsaid : undefined;
}

const mostUnsaid = 16;

const joinable = new Set(['type', 'properties', 'required', 'additionalProperties', 'title', 'description']);

/** An alternative with what holds for all of them: the type, and the members that every one has. */
function merged(schema: Keywords, keyword: string, form: unknown): unknown {
  const { [keyword]: _, ...rest } = schema;
  const shared = Object.keys(rest).filter((each) => !remarks.has(each));
  if (shared.length === 0 || !isKeywords(form)) return form;
  if (Object.hasOwn(form, '$ref')) return { allOf: [rest, form] };
  const isObject = Object.hasOwn(rest, 'properties');
  return isObject ? { allOf: [{ type: 'object', ...rest }, form] } : { ...rest, ...form };
}

const remarks = new Set(['title', 'description', 'default', 'examples', '$defs', 'definitions', '$schema', '$id']);

function typesOf(schema: Keywords): readonly unknown[] {
  const type = ownMember(schema, 'type');
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0) return types.includes('number') ? types.filter((each) => each !== 'integer') : types;
  if (Object.hasOwn(schema, 'properties')) return ['object'];
  return Object.hasOwn(schema, 'items') ? ['array'] : [];
}

/** Least and most, as far as they can be counted. */
function boundsOf(schema: Keywords, from: string, to: string): readonly [least: number, most: number | undefined] {
  const [least, most] = [ownMember(schema, from), ownMember(schema, to)];
  const atLeast = isCount(least) ? Math.min(least, mostCounted) : 0;
  return [atLeast, isCount(most) && most <= mostCounted && most >= atLeast ? most : undefined];
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function counted(form: string, least: number, most: number | undefined): string {
  if (least === 0 && most === undefined) return `(${form})*`;
  return `(${form}){${least},${most ?? ''}}`;
}

/** The least and the most whole number. */
function wholeBounds(schema: Keywords): readonly [least: number, most: number] {
  const bound = (keyword: string, none: number) => {
    const value = ownMember(schema, keyword);
    return typeof value === 'number' ? value : none;
  };
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [
    Math.max(Math.ceil(bound('minimum', low)), Math.floor(bound('exclusiveMinimum', low)) + 1),
    Math.min(Math.floor(bound('maximum', high)), Math.ceil(bound('exclusiveMaximum', high)) - 1),
  ];
}

/** Whether a number may be below zero; its other bounds are left to validation. */
function isNegative(schema: Keywords): boolean {
  const [least, above] = [ownMember(schema, 'minimum'), ownMember(schema, 'exclusiveMinimum')];
  return ![least, above].some((bound) => typeof bound === 'number' && bound >= 0);
}

/** Bounds of so many digits are counted: numbers beyond them are no longer exact in JavaScript. */
const greatest = 10 ** 15 - 1;
/** Where there is no bound, so many digits after the first: a computer's whole numbers. */
const mostDigits = 19;

/** Whole numbers from one to another, both of them included, as a grammar; bounds that are infinite or very large are none. */
function wholeNumbers(least: number, most: number): string {
  const [from, to] = [bounded(least), bounded(most)];
  const negative = from < 0 ? [`"-" ${naturals(Math.max(1, -to), -from)}`] : [];
  // A least number above the most: nothing fits, and validation says so.
  if (to < from) return naturals(0, Number.POSITIVE_INFINITY);
  return oneOf([...(to < 0 ? [] : [naturals(Math.max(0, from), to)]), ...negative]);
}

function bounded(value: number): number {
  return Math.abs(value) <= greatest ? value : Math.sign(value) * Number.POSITIVE_INFINITY;
}

function naturals(from: number, to: number): string {
  const forms: string[] = [];
  const first = String(from).length;
  const last = Number.isFinite(to) ? String(to).length : first;
  for (let length = first; length <= last; length += 1) {
    const low = length === first ? String(from) : `1${'0'.repeat(length - 1)}`;
    const high = Number.isFinite(to) && length === last ? String(to) : '9'.repeat(length);
    forms.push(sameLength(low, high));
  }
  if (!Number.isFinite(to)) forms.push(`[1-9] [0-9]{${first},${mostDigits}}`);
  return oneOf(forms);
}

/** Numbers of as many digits, from one to another. */
function sameLength(low: string, high: string): string {
  const rest = low.length - 1;
  const [lowest, highest] = [low[0] ?? '0', high[0] ?? '0'];
  const any = rest === 0 ? '' : ` [0-9]{${rest}}`;
  if (rest === 0 || (/^0*$/.test(low.slice(1)) && /^9*$/.test(high.slice(1)))) return `[${lowest}-${highest}]${any}`;
  if (lowest === highest) return `"${lowest}" ${sameLength(low.slice(1), high.slice(1))}`;
  const forms = [`"${lowest}" ${sameLength(low.slice(1), '9'.repeat(rest))}`];
  if (Number(highest) - Number(lowest) > 1) forms.push(`[${Number(lowest) + 1}-${Number(highest) - 1}]${any}`);
  forms.push(`"${highest}" ${sameLength('0'.repeat(rest), high.slice(1))}`);
  return oneOf(forms);
}
