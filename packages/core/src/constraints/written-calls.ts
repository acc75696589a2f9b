import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect, PastCall } from '../dialects/dialect.ts';
import type { Notation } from './notation.ts';

/** What a dialect writes around the name of a tool, its arguments and each of them. Names and keys are slots in it. */
export interface WrittenCalls {
  /** Before the first call of a reply, and of each other one; undefined where calls are not alike one after the other. */
  readonly first: string;
  readonly next: string | undefined;
  /** Before the arguments, or of the first of them. */
  readonly before: string;
  /** Where arguments stand one by one, in place of all of them where there is none. */
  readonly none: string;
  /** After the arguments. */
  readonly done: string;
  /** After all calls. */
  readonly end: string;
  /** Arguments are as one value in this notation; else each is alone, and the values that are not text are in it. */
  readonly whole: boolean;
  readonly notation: Notation;
  /** How many digits are in a slot for them. */
  readonly digits: readonly [least: number, most: number];
  /** What is around an argument of this name and type; undefined where its value is not written as a value of that type. */
  member(key: string, kind: string): WrittenMember | undefined;
  /** What is around one argument of this name, once for all types that the same is around; undefined where `member` is for one. */
  marksOf(key: string, kinds: readonly string[]): readonly SharedMarks[] | undefined;
}

/** What is around an argument of several types. */
export interface SharedMarks {
  readonly marks: WrittenMember;
  readonly kinds: readonly string[];
  /** Its value is as it is where it has some of these types. */
  readonly isText: boolean;
}

/** What is around one argument. */
export interface WrittenMember {
  /** Before it where no other stands, and where another one does. */
  readonly first: string;
  readonly next: string;
  /** After that, before its value. */
  readonly head: string;
  readonly after: string;
  /** Up to here a value that is text goes: the first mark after it. */
  readonly closer: string;
  /** Its value is as it is, and not in quotation marks. */
  readonly isText: boolean;
  /** Its value, a list or an object, is tags, each with this mark before it. */
  readonly nestedMark?: string;
}

/** In a text, what stands for the name of a tool, the key of an argument, and digits. Characters that are in no marks. */
export const [nameSlot, keySlot, digitSlot] = ['\u0001', '\u0002', '\u0003'] as const;

/** Values that can be found again in what a dialect writes, one of each type. */
export const samples: Readonly<Record<string, unknown>> = {
  string: 'dragoman"7',
  integer: 771771,
  number: 771771,
  boolean: true,
  null: null,
  array: [{ dragomanProbe: true }],
  object: { dragomanProbe: true },
};

const madeUpNames: readonly string[] = ['dragomanToolA', 'dragomanToolB', 'dragomanToolC'];
const [oneKey, otherKey] = ['dragomanKeyA', 'dragomanKeyB'] as const;

/** A name of a parameter that stands for all that are words, and one for all others: in their marks is a slot in its place. */
export const [plainKey, oddKey] = [oneKey, 'dragoman-key'] as const;

const keySlots = [oneKey, otherKey, oddKey].map((key) => [key, keySlot] as const);

const learnt = new WeakMap<Dialect['renderCalls'], WrittenCalls | null>();

/**
 * What a dialect writes around names, keys and values, found out once by calls with made-up ones. A name in which it might escape
 * something is looked at alone, and is in place of the slot. Undefined where what it writes is not made so.
 */
export function writtenCalls(dialect: Dialect, name?: string): WrittenCalls | undefined {
  if (name !== undefined) return learn(new Writer(dialect, [name, name, name]));
  const known = learnt.get(dialect.renderCalls);
  if (known !== undefined) return known ?? undefined;
  const found = learn(new Writer(dialect, madeUpNames));
  learnt.set(dialect.renderCalls, found ?? null);
  return found;
}

/** Whether every dialect writes a name or key as it is. */
export function isPlainWord(word: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9_]*$/.test(word) && !word.includes('_x');
}

type Values = Readonly<Record<string, unknown>>;

/** Writes calls as a dialect does, with slots in place of made-up names. */
class Writer {
  readonly #dialect: Dialect;
  readonly #names: readonly string[];

  constructor(dialect: Dialect, names: readonly string[]) {
    this.#dialect = dialect;
    this.#names = names;
  }

  /** One call for each of these arguments; `ordinal` calls came before. */
  write(all: readonly Values[], ordinal = 0): string {
    const named = all.map((values, at) => ({ name: this.#names[at] ?? '', values }));
    const calls = named.map(({ name, values }, at): PastCall => {
      const place = ordinal + at;
      return { callId: `call_${place}`, name, arguments: JSON.stringify(values), ordinal: place };
    });
    const tools = named.map(({ name, values }) => ({ name, inputSchema: schemaOf(values) }));
    const text = this.#dialect.renderCalls(calls, tools);
    const isMadeUp = this.#names === madeUpNames;
    const slots = [...(isMadeUp ? madeUpNames : []).map((each) => [each, nameSlot] as const), ...keySlots];
    return slots.reduce((slotted, [word, slot]) => slotted.replaceAll(word, slot), text);
  }

  /** What comes before each `mark`, and after the last. */
  split(all: readonly Values[], mark: string, ordinal = 0): readonly string[] {
    return this.write(all, ordinal).split(mark);
  }

  /** The same, of one call, with a slot for the digits that say how many calls came before. */
  one(values: Values): { readonly text: string; readonly digits?: Digits } | undefined {
    return withDigits(this.write([values]), this.write([values], 7));
  }
}

type Digits = WrittenCalls['digits'];

function schemaOf(values: Values): ToolDefinition['inputSchema'] {
  const kinds = Object.entries(values).map(([key, value]) => {
    const kind = Object.keys(samples).find((each) => samples[each] === value) ?? 'integer';
    return [key, { type: kind }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(kinds) };
}

function learn(writer: Writer): WrittenCalls | undefined {
  const body = bodyOf(writer);
  const single = body && writer.one(body.values);
  if (body === undefined || single === undefined) return undefined;
  const [start, tail, ...others] = single.text.split(body.text);
  if (start === undefined || tail === undefined || others.length > 0) return undefined;
  const several = severalOf(writer, body, { start, tail });
  const before = commonEnd(start, several?.next ?? start);
  const { done = tail, end = '' } = several ?? {};
  const frame: WrittenCalls = {
    first: start.slice(0, start.length - before.length),
    next: several?.next.slice(0, several.next.length - before.length),
    before,
    none: '',
    done,
    end,
    whole: body.whole,
    notation: body.notation,
    digits: single.digits ?? several?.digits ?? [1, 1],
    member: () => undefined,
    marksOf: () => undefined,
  };
  return body.whole ? frame : withMembers(frame, writer, body.text);
}

interface Body {
  readonly values: Values;
  /** How the values are written. */
  readonly text: string;
  readonly whole: boolean;
  readonly notation: Notation;
}

/** What is looked for: the arguments as one value, or else one that is alone. */
function bodyOf(writer: Writer): Body | undefined {
  const values = { [oneKey]: samples.integer };
  const text = writer.write([values]);
  const wholes = [`{"${keySlot}": 771771}`, `{"${keySlot}":771771}`];
  const json = wholes.find((each) => text.includes(each));
  if (json !== undefined) return { values, text: json, whole: true, notation: 'json' };
  const string = { [oneKey]: samples.string };
  const written = writer.write([string]);
  const quote = between(written, `{${keySlot}:`, String(samples.string));
  if (quote !== undefined && quote !== '' && text.includes(`{${keySlot}:771771}`)) {
    return { values, text: `{${keySlot}:771771}`, whole: true, notation: { quote } };
  }
  const found = textsOf(samples.string).find((each) => written.includes(each));
  const isPython = writer.write([{ [oneKey]: true }]).includes('True');
  return found === undefined
    ? undefined
    : { values: string, text: found, whole: false, notation: isPython ? 'python' : 'json' };
}

/** What is between three calls and after the last; undefined where that depends on how many there are. */
function severalOf(
  writer: Writer,
  body: Body,
  { start, tail }: { readonly start: string; readonly tail: string },
):
  | { readonly next: string; readonly done: string; readonly end: string; readonly digits?: Digits | undefined }
  | undefined {
  const round = [body.values, body.values, body.values];
  const [front, second, third, last, ...others] = writer.split(round, body.text);
  const later = writer.split(round, body.text, 7);
  if (second === undefined || third === undefined || others.length > 0) return undefined;
  const next = withDigits(second, third);
  const isAlike = withDigits(front, later[0])?.text === start && withDigits(last, later[3])?.text === tail;
  if (!isAlike || next === undefined) return undefined;
  const done = commonStart([next.text, tail]);
  return { next: next.text.slice(done.length), done, end: tail.slice(done.length), digits: next.digits };
}

/** What arguments that stand one by one are written with; `mark` is how the value of a string is written. */
function withMembers(frame: WrittenCalls, writer: Writer, mark: string): WrittenCalls | undefined {
  const { string } = samples;
  const [, inside, last] = writer.split([{ [oneKey]: string, [otherKey]: string }], mark);
  const empty = writer.one({})?.text;
  if (inside === undefined || last === undefined || empty === undefined) return undefined;
  if (!empty.startsWith(frame.first) || !empty.endsWith(frame.end)) return undefined;
  const closer = commonStart([inside, last, frame.done]);
  const done = frame.done.slice(closer.length);
  const rest = done + frame.end;
  const of = (key: string, kind: string): WrittenMember | undefined => {
    const value = samples[kind];
    const [alone, beside] = [
      writer.one({ [key]: value })?.text,
      writer.one({ [otherKey]: string, [key]: value })?.text,
    ];
    if (alone === undefined || beside === undefined) return undefined;
    const found = textsOf(value).find((each) => alone.includes(each));
    if (found === undefined) return typeof value === 'object' ? nested(key, kind, alone) : undefined;
    const [at, place] = [alone.lastIndexOf(found), beside.lastIndexOf(found)];
    const other = beside.indexOf(mark) + mark.length + closer.length;
    if (!alone.startsWith(frame.first) || !alone.endsWith(rest) || !beside.endsWith(rest) || other > place)
      return undefined;
    const [first, next] = [alone.slice(frame.first.length, at), beside.slice(other, place)];
    const head = commonEnd(first, next);
    const after = alone.slice(at + found.length, alone.length - rest.length);
    return {
      first: first.slice(0, first.length - head.length),
      next: next.slice(0, next.length - head.length),
      head,
      after,
      closer: closerOf(after),
      isText: found === value,
    };
  };
  /** A list or an object between the marks of a text, whose elements are tags, each with the same mark before it. */
  const nested = (key: string, kind: string, alone: string): WrittenMember | undefined => {
    const text = member(key, 'string');
    if (text === undefined) return undefined;
    const inner = between(alone, frame.first + text.first + text.head, text.after + rest) ?? '';
    const mark = inner.slice(0, inner.indexOf(kind === 'array' ? '<item>' : '<dragomanProbe>'));
    const probe = `${mark}<dragomanProbe>true${mark}</dragomanProbe>`;
    const whole = kind === 'array' ? `${mark}<item>${probe}${mark}</item>` : probe;
    return mark !== '' && inner === whole ? { ...text, isText: false, nestedMark: mark } : undefined;
  };
  const known = new Map<string, WrittenMember | undefined>();
  const member = (key: string, kind: string) => {
    const isPlain = isPlainWord(key);
    if (!isPlain && key !== oddKey) return of(key, kind);
    const name = isPlain ? kind : `${kind}, odd`;
    if (!known.has(name)) known.set(name, of(isPlain ? oneKey : oddKey, kind));
    return known.get(name);
  };
  const shared = new Map<string, readonly SharedMarks[] | undefined>();
  const marksOf = (key: string, kinds: readonly string[]) => {
    if (!isPlainWord(key)) return sharedMarks(kinds, (kind) => member(key, kind));
    const name = kinds.join();
    if (!shared.has(name))
      shared.set(
        name,
        sharedMarks(kinds, (kind) => member(oneKey, kind)),
      );
    return shared.get(name);
  };
  const none = empty.slice(frame.first.length, empty.length - frame.end.length);
  return { ...frame, none, done, member, marksOf };
}

function sharedMarks(
  kinds: readonly string[],
  marksOf: (kind: string) => WrittenMember | undefined,
): readonly SharedMarks[] | undefined {
  const groups: { readonly marks: WrittenMember; readonly kinds: string[]; isText: boolean }[] = [];
  for (const kind of kinds) {
    const marks = marksOf(kind);
    if (marks === undefined) return undefined;
    const group = groups.find((each) => isSameMarks(each.marks, marks));
    if (group === undefined) groups.push({ marks, kinds: [kind], isText: marks.isText });
    else {
      group.kinds.push(kind);
      group.isText ||= marks.isText;
    }
  }
  return groups;
}

/** Whether the same is around two values, which may be written otherwise. */
export function isSameMarks(one: WrittenMember | undefined, other: WrittenMember | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.first === other.first && one.next === other.next && one.head === other.head && one.after === other.after;
}

/** The first mark of a text. */
function closerOf(after: string): string {
  const text = after.trimStart();
  return text.slice(0, text.indexOf('>') + 1);
}

/** How a value may be written, the likelier first. */
function textsOf(value: unknown): readonly string[] {
  const json = JSON.stringify(value);
  if (typeof value === 'string') return [json, value];
  return value === null ? [json, 'None'] : [json, json.replace('true', 'True')];
}

/** A text with a slot for the digits in which another one differs; undefined where they differ in more. */
function withDigits(
  one: string | undefined,
  other: string | undefined,
): { readonly text: string; readonly digits?: Digits } | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (one === other) return { text: one };
  const isDigit = (letter: string | undefined) => letter !== undefined && letter >= '0' && letter <= '9';
  let from = commonStart([one, other]).length;
  while (isDigit(one[from - 1])) from -= 1;
  let to = from;
  while (isDigit(one[to])) to += 1;
  const length = to - from;
  const same = other.slice(0, from) + other.slice(other.length - (one.length - to));
  const changed = other.slice(from, other.length - (one.length - to));
  if (length === 0 || one.slice(0, from) + one.slice(to) !== same || ![...changed].every(isDigit)) return undefined;
  return { text: one.slice(0, from) + digitSlot + one.slice(to), digits: length > 1 ? [length, length] : [1, 4] };
}

/** What is between two texts, of which one stands right in front. */
function between(text: string, before: string, after: string): string | undefined {
  const from = text.indexOf(before);
  const to = text.indexOf(after, from);
  return from < 0 || to < 0 ? undefined : text.slice(from + before.length, to);
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

/** What both texts end with. */
function commonEnd(one: string, other: string): string {
  let length = 0;
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return one.slice(one.length - length);
}
