import type { JsonSchema, ToolChoice, ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isKeywords, type Keywords, listMember, ownMember, SchemaDocument } from '../json/schema-document.ts';
import type { Form, MemberForm, MemberWay } from './form.ts';
import { mostOthersOf, othersOf } from './schema-rules.ts';
import type { Steps } from './steps.ts';
import { anyKind as anyKinds, kindsOf, ofKinds } from './value-kinds.ts';
import {
  commonStart,
  digitSlot,
  isPlainWord,
  isSameMarks,
  keySlot,
  nameSlot,
  oddKey,
  plainKey,
  type SharedMarks,
  type WrittenCalls,
  writtenCalls,
} from './written-calls.ts';

/** What a reply with calls may be in the form of a dialect. */
export interface CallForms {
  /** One call, or several. */
  readonly calls: Form;
  /** What replies with calls begin with: one of these. */
  readonly openers: () => readonly string[];
  /** There are so many parameters that some tools may have any. */
  readonly isWider: boolean;
}

/** Which calls a reply may hold. */
export interface AllowedCalls {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  /** So many calls in a reply at most. Default: any number. */
  readonly most?: number | undefined;
}

/** What is shorter, such as `<` and `[`, is in prose, too. */
const shortestOpener = 3;

/** So many parameters are looked at one by one. */
const mostParameters = 1600;

/** So many names in which a dialect may escape something are looked at one by one. */
const mostOdd = 200;

/**
 * Makes the form of calls out of what the dialect itself writes for them: calls are rendered with names and arguments that can be
 * found again, and what is around those is the form. So whatever dialect renders its arguments as one value, or one by one
 * between marks, has it, without a word about it in its table. Undefined for all others, and where no tool may be called.
 */
export function* callForms(dialect: Dialect, { tools, choice, most }: AllowedCalls): Steps<CallForms | undefined> {
  const named = typeof choice === 'object' ? tools.filter(({ name }) => name === choice.name) : tools;
  const whole = toolsInRoom(named);
  if (choice === 'none' || named.length === 0 || oddNames(named, whole) > mostOdd) return undefined;
  const calls: (OneCall | undefined)[] = [];
  for (const tool of named) calls.push(yield* callOf(dialect, tool, whole.has(tool)));
  const known = calls.filter((call) => call !== undefined);
  const end = known[0]?.written.end ?? '';
  if (known.length < calls.length || !known.every(({ written }) => written.end === end)) return undefined;
  if (known.some(({ start }) => start === '')) return undefined;
  const first = known.map(({ written, fill, body }): Form => ({ all: [fill(written.first), body] }));
  const next = known.flatMap(({ written, fill, body }): readonly Form[] =>
    written.next === undefined ? [] : [{ all: [fill(written.next), body] }],
  );
  const isOne = (most ?? 2) < 2 || typeof choice === 'object' || next.length < first.length;
  const more: Form = isOne ? '' : { many: { any: next }, most: most === undefined ? most : most - 1 };
  return {
    calls: { all: [{ any: first }, more, end] },
    openers: () => openersOf(dialect, known, named),
    isWider: known.some((call) => call.isWider),
  };
}

/** The tools whose parameters are looked at one by one: the small ones first. */
function toolsInRoom(tools: readonly ToolDefinition[]): ReadonlySet<ToolDefinition> {
  const counted = tools.map((tool) => ({ tool, count: Object.keys(propertiesOf(tool)).length }));
  let room = mostParameters;
  const found = new Set<ToolDefinition>();
  for (const { tool, count } of counted.sort((one, other) => one.count - other.count)) {
    room -= count;
    if (room >= 0) found.add(tool);
  }
  return found;
}

function oddNames(tools: readonly ToolDefinition[], whole: ReadonlySet<ToolDefinition>): number {
  const names = tools.flatMap((tool) => [tool.name, ...(whole.has(tool) ? Object.keys(propertiesOf(tool)) : [])]);
  return names.filter((name) => !isPlainWord(name)).length;
}

function propertiesOf({ inputSchema }: ToolDefinition): Readonly<Record<string, unknown>> {
  const properties = ownMember(isKeywords(inputSchema) ? inputSchema : {}, 'properties');
  return isKeywords(properties) ? properties : {};
}

type Fill = (text: string) => Form;

/** A call of one tool. */
interface OneCall {
  readonly written: WrittenCalls;
  /** Puts the name into a text. */
  readonly fill: Fill;
  /** What comes after `first` or `next`. */
  readonly body: Form;
  readonly start: string;
  /** It may have any arguments. */
  readonly isWider: boolean;
}

function* callOf(dialect: Dialect, tool: ToolDefinition, isInRoom: boolean): Steps<OneCall | undefined> {
  const { name, inputSchema } = tool;
  const keywords = isKeywords(inputSchema) ? inputSchema : {};
  const written = writtenCalls(dialect, isPlainWord(name) ? undefined : name);
  yield;
  if (written === undefined) return undefined;
  const { before, done, none, first, whole, notation, digits } = written;
  const made = (text: string) => filled(withWord(text, nameSlot, name), digits);
  // Marks are the same around every argument, but for its key.
  const known = new Map<string, Form>();
  const fill = (text: string): Form => {
    const form = known.get(text) ?? made(text);
    known.set(text, form);
    return form;
  };
  const put = (text: string, key: string) => (text.includes(keySlot) ? made(withWord(text, keySlot, key)) : fill(text));
  const start = first + (whole || none === '' ? before : commonStart([before, none]));
  const call = { written, fill, start: upToSlot(withWord(start, nameSlot, name)), isWider: !isInRoom };
  if (whole) {
    // Arguments are an object, also where their schema does not say so. They are in two places and are written once.
    const json = isInRoom ? asObject(keywords) : { type: 'object' };
    return { ...call, body: { any: [{ all: [fill(before), { json, root: inputSchema, as: notation }, fill(done)] }] } };
  }
  const document = new SchemaDocument(inputSchema);
  const memberFor = (key: string | undefined, schema: unknown, needed = false) =>
    memberOf(written, { key, schema, needed, fill, put, inputSchema, document });
  const given = isInRoom ? othersOf(keywords) : true;
  const others = given === false ? undefined : memberFor(undefined, given);
  if (!isInRoom && others === undefined) return undefined;
  const needed = new Set(listMember(keywords, 'required'));
  const named = propertiesOf(tool);
  const unnamed = [...needed].filter((key) => typeof key === 'string' && !Object.hasOwn(named, key));
  const properties = isInRoom ? [...Object.entries(named), ...unnamed.map((key) => [String(key), true] as const)] : [];
  const members: MemberForm[] = [];
  for (const [key, schema] of properties) {
    const member = memberFor(key, schema, needed.has(key));
    if (member === undefined) return undefined;
    members.push(member);
    yield;
  }
  const mostOthers = isInRoom ? mostOthersOf(keywords) : undefined;
  const more = others && { others, mostOthers };
  return { ...call, body: { members, ...more, none: fill(none), done: fill(done) } };
}

/** What a schema says of objects; what references lead to says it by itself. */
function asObject(keywords: Keywords): Keywords {
  return ownMember(keywords, 'type') === 'object' || Object.hasOwn(keywords, '$ref')
    ? keywords
    : { ...keywords, type: 'object' };
}

/** A text up to where something stands that is not the same in all calls. */
function upToSlot(text: string): string {
  const slots = [keySlot, digitSlot].map((slot) => text.indexOf(slot)).filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...slots));
}

/** Puts a word into a slot wherever it stands; a text without the slot is the same one. */
function withWord(text: string, slot: string, word: string): string {
  return text.includes(slot) ? text.split(slot).join(word) : text;
}

function filled(text: string, digits: WrittenCalls['digits']): Form {
  if (!text.includes(digitSlot)) return text;
  const parts = text.split(digitSlot);
  return { all: parts.flatMap((part, at) => (at === 0 ? [part] : [{ digits }, part])) };
}

interface Member {
  /** Undefined: any. */
  readonly key: string | undefined;
  readonly schema: unknown;
  readonly needed: boolean;
  readonly fill: Fill;
  /** Puts the name and this key into a text. */
  readonly put: (text: string, key: string) => Form;
  readonly inputSchema: JsonSchema;
  readonly document: SchemaDocument;
}

/**
 * An argument that is alone: once for all types that the same marks are around. Undefined where its key may be any and stands
 * after its value, too: a grammar cannot say that both are the same.
 */
function memberOf(written: WrittenCalls, given: Member): MemberForm | undefined {
  const { key, needed } = given;
  if (key === undefined) return anyMember(written, given);
  const ways = waysOf(written, given, { key, put: (text) => given.put(text, key) });
  return ways && { ways, needed };
}

/** An argument whose key may be any. Where a dialect writes a key otherwise that is no word, it is a string there. */
function anyMember(written: WrittenCalls, given: Member): MemberForm | undefined {
  const { needed, fill } = given;
  const named = (slot: string, name: Form) => (text: string) => {
    const parts = text.split(slot);
    return { all: parts.flatMap((part, at) => (at === 0 ? [fill(part)] : [name, fill(part)])) };
  };
  const isAlike = anyKinds.every((kind) => isSameMarks(written.member(plainKey, kind), written.member(oddKey, kind)));
  const plain = named(keySlot, { name: isAlike ? 'text' : 'word' });
  const ways = waysOf(written, given, { key: plainKey, put: plain });
  if (ways === undefined || isAlike) return ways && { ways, needed };
  const odd = waysOf(written, given, { key: oddKey, put: named(`"${keySlot}"`, { json: { type: 'string' } }) });
  return { ways: [...ways, ...(odd ?? [])], needed };
}

/** Undefined where the key stands after the value, and may be any. */
function waysOf(
  written: WrittenCalls,
  given: Member,
  { key, put }: { readonly key: string; readonly put: (text: string) => Form },
): readonly MemberWay[] | undefined {
  const groups = written.marksOf(key, kindsOf(given.schema, given.document));
  if (groups === undefined) return undefined;
  // A grammar cannot say that both names are the same.
  if (given.key === undefined && groups.some(({ marks }) => marks.after.includes(keySlot))) return undefined;
  const isOnly = groups.length === 1;
  return groups.map((group) => ({
    first: put(group.marks.first),
    next: put(group.marks.next),
    head: put(group.marks.head),
    value: valueForm(given, { group, isOnly, notation: written.notation }),
    after: put(group.marks.after),
  }));
}

interface ValueOptions {
  readonly group: SharedMarks;
  /** Other marks are around no type. */
  readonly isOnly: boolean;
  readonly notation: WrittenCalls['notation'];
}

function valueForm(
  { key, schema, inputSchema, document }: Member,
  { group: { marks, kinds, isText }, isOnly, notation }: ValueOptions,
): Form {
  if (!isText) {
    const json = isOnly && isKeywords(schema) ? schema : ofKinds(schema, kinds, document);
    const form = { json, root: inputSchema, as: notation } as const;
    return marks.nestedMark === undefined
      ? form
      : nestedForm(form, { mark: marks.nestedMark, document, room: mostNested });
  }
  const closer = withWord(marks.closer, keySlot, key ?? '');
  const listed = isKeywords(schema) ? listMember(schema, 'enum') : [];
  const texts = listed.filter((each) => typeof each === 'string' && isPlain(each, closer));
  const isListed = listed.length > 0 && texts.length === listed.length;
  return isListed ? { any: texts.map(String) } : { until: [closer] };
}

/** Lists and objects in so many others are JSON. */
const deepestNesting = 4;

/** So many lists, objects and what is in them are tags in a value. */
const mostNested = 60;

interface Nesting {
  readonly mark: string;
  readonly document: SchemaDocument;
  room: number;
}

/** A value whose lists and objects are tags, or as JSON, which is read as well; what may be of several types is JSON. */
function nestedForm(form: Extract<Form, { readonly json: unknown }>, nesting: Nesting, depth = 0): Form {
  const { json, root = json } = form;
  const given =
    isKeywords(json) && Object.hasOwn(json, '$ref') ? nesting.document.resolve(ownMember(json, '$ref')) : json;
  const schema = isKeywords(given) ? given : {};
  const [kind, ...others] = kindsOf(schema, nesting.document);
  nesting.room -= 1;
  if (others.length > 0 || depth > deepestNesting || nesting.room < 0) return form;
  const { mark } = nesting;
  const tagged = (tag: string, inner: unknown): Form => {
    const value = nestedForm({ json: isKeywords(inner) ? inner : true, root }, nesting, depth + 1);
    return { all: [`${mark}<${tag}>`, value, `${mark}</${tag}>`] };
  };
  if (kind === 'string' && depth > 0 && listMember(schema, 'enum').length === 0) return { until: [mark] };
  if (kind === 'array' && isKeywords(ownMember(schema, 'items'))) {
    const item = tagged('item', ownMember(schema, 'items'));
    return { any: [form, { all: [item, { many: item, most: mostItems }] }] };
  }
  const properties = ownMember(schema, 'properties');
  if (kind !== 'object' || !isKeywords(properties) || !Object.keys(properties).every(isTag)) return form;
  const needed = new Set(listMember(schema, 'required'));
  const members = Object.entries(properties).map(([key, inner]): MemberForm => {
    const value = tagged(key, inner);
    return { ways: [{ first: '', next: '', head: '', value, after: '' }], needed: needed.has(key) };
  });
  return { any: [form, { members, none: form, done: '' }] };
}

/** What a tag may be called wherever it is. */
function isTag(name: string): boolean {
  return /^[a-zA-Z0-9_.-]{1,64}$/.test(name);
}

/** So many elements a list has at most that is tags. */
const mostItems = 64;

/** Whether a text stands for itself, however white space and marks around it are read. */
function isPlain(text: unknown, closer: string): boolean {
  return typeof text === 'string' && text !== '' && text.trim() === text && !text.includes(closer);
}

/** What is read as the opener of a call, however it goes on, is no text. */
function openersOf(dialect: Dialect, calls: readonly OneCall[], named: readonly ToolDefinition[]): readonly string[] {
  const starts = calls.map(({ start }) => start);
  const common = commonStart(starts);
  const markers = dialect.markers(named).filter((marker) => common.startsWith(marker));
  const [shortest] = markers.toSorted((left, right) => left.length - right.length);
  if (shortest !== undefined) return [shortest];
  return common.length < shortestOpener ? [...new Set(starts)] : [common];
}
