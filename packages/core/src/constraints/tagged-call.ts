import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isKeywords, list, own } from '../json/schema-document.ts';
import type { Form } from './form.ts';

/** Values that can be found again in what a dialect writes, one of each type. No tool has such. */
const samples: Readonly<Record<string, unknown>> = {
  string: 'dragomanProbe7',
  integer: 7717,
  number: 7717,
  boolean: true,
  null: null,
  array: [{ dragomanProbe: 7717 }],
  object: { dragomanProbe: 7717 },
};

/** What stands around the value of one parameter. */
interface Around {
  readonly before: string;
  readonly behind: string;
}

/** The form of one call, and what it begins with. */
export interface TaggedCall {
  readonly form: Form;
  readonly start: string;
}

/**
 * The form of one call whose arguments stand one by one between marks, made of what the dialect writes for single values: strings as
 * they are up to the closer, all else as JSON. Undefined where what it writes is not made so: values are no JSON, or what stands
 * between two of them depends on their number.
 */
export function taggedCall(dialect: Dialect, tool: ToolDefinition): TaggedCall | undefined {
  const { name } = tool;
  const known = learntMarks(dialect);
  const substituted = (key: string, kind: string) => {
    const found = known.get(kind);
    const named = (text: string) => text.split(madeUpName).join(name).split(madeUpKey).join(key);
    return found && { before: named(found.before), behind: named(found.behind) };
  };
  const rendered = (key: string, kind: string) =>
    aroundValue(rendering(dialect, tool)({ [key]: samples[kind] }), samples[kind]);
  // Names in which a dialect escapes something are looked at one by one.
  return assembled(dialect, tool, substituted) ?? (isPlainTool(tool) ? undefined : assembled(dialect, tool, rendered));
}

const [madeUpName, madeUpKey] = ['dragomanName', 'dragomanKey'];

const learnt = new WeakMap<Dialect, ReadonlyMap<string, Around>>();

/** What stands around a value of each type, with made-up names: learnt once, since writing thousands of calls takes long. */
function learntMarks(dialect: Dialect): ReadonlyMap<string, Around> {
  const known = learnt.get(dialect) ?? new Map(Object.entries(samples).flatMap((each) => marksOf(dialect, each)));
  learnt.set(dialect, known);
  return known;
}

function marksOf(dialect: Dialect, [kind, value]: readonly [string, unknown]): readonly (readonly [string, Around])[] {
  const inputSchema = { type: 'object', properties: { [madeUpKey]: { type: kind } } };
  const text = rendering(dialect, { name: madeUpName, inputSchema })({ [madeUpKey]: value });
  const found = aroundValue(text, value);
  return found === undefined ? [] : [[kind, found]];
}

function rendering(dialect: Dialect, tool: ToolDefinition): (values: Readonly<Record<string, unknown>>) => string {
  return (values) =>
    dialect.renderCalls([{ callId: 'call_0', name: tool.name, arguments: JSON.stringify(values), ordinal: 0 }], [tool]);
}

function isPlainTool({ name, inputSchema }: ToolDefinition): boolean {
  const properties = own(isKeywords(inputSchema) ? inputSchema : {}, 'properties');
  const isPlainWord = (word: string) => /^[a-zA-Z0-9_-]*$/.test(word);
  return isPlainWord(name) && isKeywords(properties) && Object.keys(properties).every(isPlainWord);
}

/** Puts a call together of what stands around each value; undefined where the dialect writes something else for all of them. */
function assembled(
  dialect: Dialect,
  tool: ToolDefinition,
  aroundOf: (key: string, kind: string) => Around | undefined,
): TaggedCall | undefined {
  const { inputSchema } = tool;
  const properties = own(isKeywords(inputSchema) ? inputSchema : {}, 'properties');
  if (!isKeywords(inputSchema) || !isKeywords(properties)) return undefined;
  const render = rendering(dialect, tool);
  const empty = render({});
  const members = Object.entries(properties).map(([key, schema]) => {
    const kinds = kindsOf(schema);
    return { key, schema, kinds, around: kinds.map((kind) => aroundOf(key, kind)) };
  });
  const starts = members.flatMap(({ around }) => around.flatMap((each) => (each === undefined ? [] : [each.before])));
  const head = commonStart([empty, ...starts]);
  const tail = empty.slice(head.length);
  const needed = new Set(list(inputSchema, 'required'));
  const parts: Form[] = [];
  let whole = head;
  for (const { key, schema, kinds, around } of members) {
    const [first] = around;
    if (first === undefined || !around.every((each) => isSame(each, first)) || !first.behind.endsWith(tail))
      return undefined;
    const before = first.before.slice(head.length);
    const behind = first.behind.slice(0, first.behind.length - tail.length);
    const closer = closerOf(behind);
    if (closer === '') return undefined;
    whole += before + writtenOf(samples[kinds[0] ?? '']) + behind;
    const member: Form = { all: [before, valueForm({ schema, kinds, closer }, inputSchema), behind] };
    parts.push(needed.has(key) ? member : { any: ['', member] });
  }
  const all = Object.fromEntries(members.map(({ key, kinds }) => [key, samples[kinds[0] ?? '']]));
  return render(all) === whole + tail ? { form: { all: [head, ...parts, tail] }, start: head } : undefined;
}

/** What stands in front of a value and behind it; undefined where it is not written as it is, or as JSON. */
function aroundValue(text: string, value: unknown): Around | undefined {
  const [before, behind, ...others] = text.split(writtenOf(value));
  return before === undefined || behind === undefined || others.length > 0 ? undefined : { before, behind };
}

function writtenOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isSame(one: Around | undefined, other: Around): boolean {
  return one?.before === other.before && one.behind === other.behind;
}

/** Where it cannot be told which type a value has. */
const anyKind = Object.keys(samples);

/** The types that a value may have. */
function kindsOf(schema: unknown): readonly string[] {
  if (!isKeywords(schema)) return anyKind;
  const forms = [...list(schema, 'anyOf'), ...list(schema, 'oneOf')];
  if (forms.length > 0) return [...new Set(forms.flatMap(kindsOf))];
  const listed = Object.hasOwn(schema, 'const') ? [own(schema, 'const')] : list(schema, 'enum');
  const type = own(schema, 'type');
  const types = listed.length > 0 ? listed.map(kindOf) : Array.isArray(type) ? type : [type];
  const known = types.filter((each) => typeof each === 'string' && Object.hasOwn(samples, each));
  return known.length === types.length ? [...new Set(known.map(String))] : anyKind;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Up to here a value goes: the first mark behind it. */
function closerOf(behind: string): string {
  const text = behind.trimStart();
  return text.slice(0, text.indexOf('>') + 1);
}

interface Value {
  readonly schema: unknown;
  readonly kinds: readonly string[];
  readonly closer: string;
}

function valueForm({ schema, kinds, closer }: Value, root: ToolDefinition['inputSchema']): Form {
  if (!kinds.includes('string')) return isKeywords(schema) ? { json: schema, root } : { json: true };
  const listed = isKeywords(schema) ? list(schema, 'enum') : [];
  const texts = listed.filter((each) => typeof each === 'string' && isPlain(each, closer));
  return listed.length > 0 && texts.length === listed.length ? { any: texts.map(String) } : { until: [closer] };
}

/** Whether a text stands for itself, however white space and marks around it are read. */
function isPlain(text: unknown, closer: string): boolean {
  return typeof text === 'string' && text !== '' && text.trim() === text && !text.includes(closer);
}

/** What all texts begin with. */
export function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other[same] === first[same]) same += 1;
    length = same;
  }
  return first.slice(0, length);
}
