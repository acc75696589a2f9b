import type { JsonSchema } from '../chat/tool.ts';
import { quoteName } from '../chat/warning.ts';
import { canonicalJson } from './canonical-json.ts';
import { fitCombined } from './fit-combined.ts';
import { Evaluated, type FitDecision, type Fitting, type Looked, OutOfSteps } from './fitting.ts';
import { namedTypes, type TypeSet, typeBits, typeOfValue } from './json-type.ts';
import { inside, type Misfit, misfitAt, quoteSome, quoteValue } from './misfit.ts';
import { holdsPattern } from './pattern.ts';
import { isKeywords, type Keywords, listMember, ownMember, SchemaDocument, usesKeyword } from './schema-document.ts';

export { type Misfit, misfitWords } from './misfit.ts';

/** So many single looks at a value are worth an answer: some tenths of a second, and ten times what real answers take. */
const mostSteps = 250_000;

/** Schemas within each other, references counted: no stack is that small. */
const deepest = 800;

/**
 * Looks for the first place where a parsed JSON value does not fit a schema of draft 2020-12; what older drafts and
 * OpenAPI wrote differently is understood as well. Undefined: it fits. `unjudged`: no misfit was found, but whether it fits
 * hangs on what is not checked, or the schema asks for more work than one answer is worth, as schemas can that double with
 * every level. Never throws.
 *
 * Not checked are patterns with look-arounds or back-references, and what a reference asks that leads outside of the schema,
 * or is in a schema with schemas in it that have ids of their own.
 * `format` counts for the formats that are known, and says nothing else.
 */
export function findMisfit(value: unknown, schema: JsonSchema): Misfit | 'unjudged' | undefined {
  try {
    const decision = new Fitter(schema).judge(schema, { value, place: undefined });
    if (decision.fits === 'no') return decision.misfit;
    return decision.fits === 'yes' ? undefined : 'unjudged';
  } catch (thrown) {
    // A range error: the value itself is nested deeper than the stack.
    if (thrown instanceof OutOfSteps || thrown instanceof RangeError) return 'unjudged';
    throw thrown;
  }
}

class Fitter implements Fitting {
  readonly #document: SchemaDocument;
  /** Somewhere the schema speaks of what is not described elsewhere. */
  readonly #tracks: boolean;
  readonly #holdsDocuments: boolean;
  #steps = 0;
  #depth = 0;
  /** How often something was not checked that whether the value fits hangs on. */
  #doubts = 0;

  constructor(schema: JsonSchema) {
    this.#document = new SchemaDocument(schema);
    this.#holdsDocuments = holdsDocuments(this.#document, schema);
    this.#tracks = usesKeyword(this.#document, ['unevaluatedProperties', 'unevaluatedItems']);
  }

  readonly spend = (steps = 1): void => {
    this.#steps += steps;
    if (this.#steps > mostSteps) throw new OutOfSteps();
  };

  matches(pattern: string, text: string): boolean | undefined {
    return holdsPattern(text, pattern, this.spend);
  }

  doubt(): void {
    this.#doubts += 1;
  }

  judge(schema: unknown, looked: Looked, evaluated?: Evaluated): FitDecision {
    const before = this.#doubts;
    const misfit = this.fit(schema, looked, evaluated);
    const isCertain = this.#doubts === before;
    // Whoever asked decides what hangs on it.
    this.#doubts = before;
    if (misfit !== undefined) return { fits: 'no', misfit };
    return { fits: isCertain ? 'yes' : 'perhaps' };
  }

  fit(schema: unknown, looked: Looked, evaluated?: Evaluated): Misfit | undefined {
    this.spend();
    if (schema === false) return misfitAt(looked.place, 'is not allowed');
    if (!isKeywords(schema)) return undefined;
    if (this.#depth === deepest) throw new OutOfSteps();
    this.#depth += 1;
    const mine = this.#tracks ? new Evaluated() : undefined;
    const found = this.#fitNode(schema, looked, mine);
    this.#depth -= 1;
    if (found === undefined && mine !== undefined && evaluated !== undefined) {
      this.spend(mine.members.size / 8);
      evaluated.addAll(mine);
    }
    return found;
  }

  #fitNode(node: Keywords, looked: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    if (looked.value === null && ownMember(node, 'nullable') === true) return undefined;
    return (
      this.#fitReference(node, looked, evaluated) ??
      fitType(node, looked) ??
      this.#fitEnum(node, looked) ??
      this.#fitKind(node, looked, evaluated) ??
      fitCombined(node, looked, this, evaluated) ??
      this.#fitOthers(node, looked, evaluated)
    );
  }

  #fitReference(node: Keywords, looked: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = ownMember(node, keyword);
      if (ref === undefined) continue;
      const target = this.#holdsDocuments ? undefined : this.#document.resolve(ref);
      if (target === undefined) this.doubt();
      const found = this.fit(target, looked, evaluated);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #fitEnum(node: Keywords, { value, place }: Looked): Misfit | undefined {
    const values = ownMember(node, 'enum');
    if (Array.isArray(values) && !values.some((each) => equalJson(each, value, this.spend))) {
      return misfitAt(place, `must be one of ${quoteSome(values)}`);
    }
    if (!Object.hasOwn(node, 'const') || equalJson(ownMember(node, 'const'), value, this.spend)) return undefined;
    return misfitAt(place, `must be ${quoteValue(ownMember(node, 'const'))}`);
  }

  #fitKind(node: Keywords, { value, place }: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    if (typeof value === 'number') return fitNumber(node, { value, place });
    if (typeof value === 'string') return fitString(node, { value, place }, this);
    if (Array.isArray(value)) return fitList(node, { value, place }, this, evaluated);
    return isKeywords(value) ? fitObject(node, { value, place }, this, evaluated) : undefined;
  }

  /** What no other keyword of the schema has described. */
  #fitOthers(node: Keywords, { value, place }: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    if (evaluated === undefined || typeof value !== 'object' || value === null) return undefined;
    const schema = ownMember(node, Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties');
    if (schema === undefined) return undefined;
    const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value);
    for (const [key, member] of members) {
      if (evaluated.has(key)) continue;
      const found = this.fit(schema, { value: member, place: inside(place, key) });
      if (found !== undefined) return found;
      evaluated.add(key);
    }
    return undefined;
  }
}

function fitType(node: Keywords, { value, place }: Looked): Misfit | undefined {
  const types = namedTypes(ownMember(node, 'type'));
  const type = typeOfValue(value);
  if ((types & type) !== 0) return undefined;
  const wanted = kindsOf(types).join(' or ');
  // Of numbers only a fraction is not whole.
  return misfitAt(place, `must be ${wanted}, not ${kindsOf(type).at(-1) ?? 'a fraction'}`);
}

const kinds: readonly (readonly [set: TypeSet, words: string])[] = [
  [typeBits.string, 'a string'],
  [typeBits.integer, 'a whole number'],
  [typeBits.number, 'a number'],
  [typeBits.boolean, 'a boolean'],
  [typeBits.null, 'null'],
  [typeBits.object, 'an object'],
  [typeBits.array, 'a list'],
];

/** The kinds of a set of types in words; whole numbers go without saying where any number may stand. */
function kindsOf(types: TypeSet): readonly string[] {
  return kinds.flatMap(([set, words]) => {
    if ((types & set) !== set || (set === typeBits.integer && (types & typeBits.number) === typeBits.number)) return [];
    return [words];
  });
}

/** Whether a string has the length, the pattern and the format that its schema asks for. */
function fitString(node: Keywords, { value, place }: Looked<string>, fitting: Fitting): Misfit | undefined {
  const [least, most] = [ownMember(node, 'minLength'), ownMember(node, 'maxLength')];
  if (typeof least === 'number' || typeof most === 'number') {
    fitting.spend(1 + value.length / 64);
    const length = codePoints(value);
    if (typeof least === 'number' && length < least) return misfitAt(place, `must have at least ${least} characters`);
    if (typeof most === 'number' && length > most) return misfitAt(place, `must have at most ${most} characters`);
  }
  const pattern = ownMember(node, 'pattern');
  if (typeof pattern === 'string') {
    const matches = fitting.matches(pattern, value);
    if (matches === false) return misfitAt(place, `must match the pattern ${quoteValue(pattern)}`);
    if (matches === undefined) fitting.doubt();
  }
  const format = ownMember(node, 'format');
  const known = typeof format === 'string' ? formats.get(format) : undefined;
  if (known === undefined || known(value, fitting)) return undefined;
  return misfitAt(place, `must be of the format ${quoteValue(format)}`);
}

/** A pair of surrogates is one character. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has the format. */
type Format = (text: string, fitting: Fitting) => boolean;

/** A format that one pattern describes. */
function like(pattern: string): Format {
  return (text, fitting) => fitting.matches(`^(?:${pattern})$`, text) !== false;
}

const date = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const days = '(?:\\d+D|\\d+M(?:\\d+D)?|\\d+Y(?:\\d+M(?:\\d+D)?)?)';
const hours = 'T(?:\\d+S|\\d+M(?:\\d+S)?|\\d+H(?:\\d+M(?:\\d+S)?)?)';

const hasForm = { date: like(date), time: like(time), dateTime: like(`${date}[Tt]${time}`) };

/** The formats that are checked, by name. Others say nothing. Where a standard has rare corners, they pass. */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', (text, fitting) => hasForm.date(text, fitting) && isDay(text)],
  ['time', hasForm.time],
  ['date-time', (text, fitting) => hasForm.dateTime(text, fitting) && isDay(text.slice(0, 10))],
  ['duration', like(`P(?:\\d+W|${days}(?:${hours})?|${hours})`)],
  ['email', like(`[^\\s@]+@[^\\s@]+`)],
  ['hostname', (text, fitting) => text.length <= 253 && like(`${label}(?:\\.${label})*`)(text, fitting)],
  ['ipv4', like(`${byte}(?:\\.${byte}){3}`)],
  ['ipv6', isIpv6],
  ['uuid', like('[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}')],
  ['uri', like('[A-Za-z][A-Za-z0-9+.-]*:[^\\s<>"{}|\\\\^`]*')],
]);

/** Whether the month has the day. */
function isDay(text: string): boolean {
  const [year, month, day] = text.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= ([31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

/** The platform's own reader of addresses knows their short forms. */
function isIpv6(text: string, fitting: Fitting): boolean {
  return like('[0-9A-Fa-f:.]{2,45}')(text, fitting) && URL.canParse(`http://[${text}]/`);
}

/** Whether a number is in the range that its schema gives, and a multiple of what it says. */
function fitNumber(node: Keywords, { value, place }: Looked<number>): Misfit | undefined {
  const limits = limitsOf(node);
  for (const { limit, holds, words } of limits) {
    if (!holds(value, limit)) return misfitAt(place, `must be ${words} ${limit}`);
  }
  const step = ownMember(node, 'multipleOf');
  if (typeof step !== 'number' || step <= 0 || isMultiple(value, step)) return undefined;
  return misfitAt(place, `must be a multiple of ${step}`);
}

interface Limit {
  readonly limit: number;
  readonly holds: (value: number, limit: number) => boolean;
  readonly words: string;
}

/** In the fourth draft, and in OpenAPI 3.0, `exclusiveMinimum: true` is beside `minimum`. */
function limitsOf(node: Keywords): Limit[] {
  const found: Limit[] = [];
  const add = (limit: unknown, holds: Limit['holds'], words: string) => {
    if (typeof limit === 'number') found.push({ limit, holds, words });
  };
  const [above, below] = [ownMember(node, 'exclusiveMinimum'), ownMember(node, 'exclusiveMaximum')];
  add(ownMember(node, 'minimum'), (value, limit) => value >= limit, 'at least');
  add(ownMember(node, 'maximum'), (value, limit) => value <= limit, 'at most');
  add(above === true ? ownMember(node, 'minimum') : above, (value, limit) => value > limit, 'more than');
  add(below === true ? ownMember(node, 'maximum') : below, (value, limit) => value < limit, 'less than');
  return found;
}

/** Tenths are no doubles: a quotient that is as near to a whole number as doubles can tell is one. */
function isMultiple(value: number, step: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(step)) return value % step === 0;
  const quotient = value / step;
  // No double says how many times such a step is contained.
  if (!Number.isFinite(quotient)) return true;
  const error = Math.abs(quotient - Math.round(quotient));
  return error <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4;
}

type List = Looked<readonly unknown[]>;

/** Whether a list has the items that its schema asks for. */
function fitList(node: Keywords, looked: List, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  return (
    fitLength(node, looked) ??
    fitItems(node, looked, fitting, evaluated) ??
    fitContained(node, looked, fitting, evaluated) ??
    fitUnique(node, looked, fitting)
  );
}

function fitLength(node: Keywords, { value, place }: List): Misfit | undefined {
  const [least, most] = [ownMember(node, 'minItems'), ownMember(node, 'maxItems')];
  if (typeof least === 'number' && value.length < least) return misfitAt(place, `must have at least ${least} items`);
  if (typeof most === 'number' && value.length > most) return misfitAt(place, `must have at most ${most} items`);
  return undefined;
}

function fitItems(node: Keywords, looked: List, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  // Before 2020-12 a tuple was a list under `items`, and `additionalItems` was the rest.
  const items = ownMember(node, 'items');
  const tuple = Array.isArray(items) ? items : listMember(node, 'prefixItems');
  const rest = Array.isArray(items) ? ownMember(node, 'additionalItems') : items;
  for (const [index, value] of looked.value.entries()) {
    const schema: unknown = index < tuple.length ? tuple[index] : rest;
    if (schema === undefined) break;
    const found = fitting.fit(schema, { value, place: inside(looked.place, index) });
    if (found !== undefined) return found;
    evaluated?.add(index);
  }
  return undefined;
}

function fitContained(node: Keywords, looked: List, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  const schema = ownMember(node, 'contains');
  if (!isKeywords(schema) && typeof schema !== 'boolean') return undefined;
  const [least, most] = [ownMember(node, 'minContains'), ownMember(node, 'maxContains')];
  // Those that fit for certain, and those that may.
  let count = 0;
  let possible = 0;
  for (const [index, value] of looked.value.entries()) {
    const { fits } = fitting.judge(schema, { value, place: looked.place });
    if (fits === 'no') continue;
    possible += 1;
    if (fits === 'yes') count += 1;
    evaluated?.add(index);
  }
  const needed = typeof least === 'number' ? least : 1;
  const allowed = typeof most === 'number' ? most : Number.POSITIVE_INFINITY;
  if (possible < needed)
    return misfitAt(looked.place, `must contain ${needed} items of a certain kind, not ${possible}`);
  if (count > allowed)
    return misfitAt(looked.place, `must contain at most ${allowed} items of a certain kind, not ${count}`);
  if (count < needed || possible > allowed) fitting.doubt();
  return undefined;
}

function fitUnique(node: Keywords, { value, place }: List, fitting: Fitting): Misfit | undefined {
  if (ownMember(node, 'uniqueItems') !== true) return undefined;
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const text = canonicalJson(item, () => fitting.spend());
    const first = seen.get(text);
    if (first !== undefined) return misfitAt(inside(place, index), `must differ from item ${first}`);
    seen.set(text, index);
  }
  return undefined;
}

type Members = Looked<Keywords>;

/** Whether an object has the members that its schema asks for. */
function fitObject(node: Keywords, looked: Members, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  return (
    fitNames(node, looked, fitting) ??
    fitMembers(node, looked, fitting, evaluated) ??
    fitDependents(node, looked, fitting, evaluated)
  );
}

function fitNames(node: Keywords, { value, place }: Members, fitting: Fitting): Misfit | undefined {
  const required = listMember(node, 'required');
  fitting.spend(required.length / 8);
  const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
  if (typeof missing === 'string') return misfitAt(place, `lacks ${quoteName(missing)}`);
  const names = Object.keys(value);
  fitting.spend(names.length / 8);
  const [least, most] = [ownMember(node, 'minProperties'), ownMember(node, 'maxProperties')];
  if (typeof least === 'number' && names.length < least) return misfitAt(place, `must have at least ${least} members`);
  if (typeof most === 'number' && names.length > most) return misfitAt(place, `must have at most ${most} members`);
  const schema = ownMember(node, 'propertyNames');
  if (schema === undefined) return undefined;
  const wrong = names.find((name) => fitting.fit(schema, { value: name, place }) !== undefined);
  return wrong === undefined ? undefined : misfitAt(place, `may have no member of the name ${quoteName(wrong)}`);
}

function fitMembers(node: Keywords, looked: Members, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  const named = ownMember(node, 'properties');
  const patterned = ownMember(node, 'patternProperties');
  const others = ownMember(node, 'additionalProperties');
  const patterns = isKeywords(patterned) ? Object.entries(patterned) : [];
  for (const [key, value] of Object.entries(looked.value)) {
    fitting.spend(1 + patterns.length / 8);
    const member = { value, place: inside(looked.place, key) };
    const said = patterns.map(([pattern, schema]) => ({ schema, matches: fitting.matches(pattern, key) }));
    const schemas: unknown[] = said.flatMap(({ schema, matches }) => (matches === true ? [schema] : []));
    if (isKeywords(named) && Object.hasOwn(named, key)) schemas.push(named[key]);
    // A pattern that cannot be checked may speak of it.
    const isDoubtful = said.some(({ matches }) => matches === undefined);
    if (isDoubtful) fitting.doubt();
    if (schemas.length === 0 && others !== undefined && !isDoubtful) {
      if (others === false) return misfitAt(member.place, 'is not allowed');
      schemas.push(others);
    }
    for (const schema of schemas) {
      const found = fitting.fit(schema, member);
      if (found !== undefined) return found;
    }
    if (schemas.length > 0 || isDoubtful) evaluated?.add(key);
  }
  return undefined;
}

/** Members that others need beside them. Before 2019-09 one keyword, `dependencies`, said both. */
function fitDependents(node: Keywords, looked: Members, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependents = ownMember(node, keyword);
    if (!isKeywords(dependents)) continue;
    for (const [key, needs] of Object.entries(dependents)) {
      fitting.spend();
      if (!Object.hasOwn(looked.value, key)) continue;
      const found = Array.isArray(needs)
        ? fitNames({ required: needs }, looked, fitting)
        : fitting.fit(needs, looked, evaluated);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Whether a schema in it has an id of its own, so that references in it lead elsewhere. */
function holdsDocuments({ everyNode }: SchemaDocument, root: unknown): boolean {
  return everyNode.some((node) => node !== root && typeof ownMember(node, '$id') === 'string');
}

/** Whether two parsed JSON values are the same; the order of keys does not count. `spend` is called for each part. */
function equalJson(one: unknown, other: unknown, spend: () => void): boolean {
  spend();
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((each, index) => equalJson(each, other[index], spend));
  }
  const members = new Map(Object.entries(other));
  const entries = Object.entries(one);
  return (
    entries.length === members.size &&
    entries.every(([key, value]) => members.has(key) && equalJson(value, members.get(key), spend))
  );
}
