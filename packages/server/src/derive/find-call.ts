import type { AroundTable, HeaderTable, JsonTable, ParameterTable, TagsTable } from '@dragoman/core';
import { replyIn, type Turns } from './call-region.ts';
import type { Written } from './choose-variant.ts';
import type { FoundCall } from './found-call.ts';
import { type SampleCall, type SampleName, sampleCalls, sentinels, typedValues } from './samples.ts';
import { type SplitCalls, splitOne, splitTwo } from './split-calls.ts';
import { sharedBack, sharedFront } from './tokens.ts';

/** Finds how the template writes calls. Undefined where no form writes them so. */
export function findCall(written: Written, turns: Turns): FoundCall | undefined {
  const calls = sampleCalls(written.variant);
  const [first, second] = calls.two;
  const two = callText(written, turns, 'two');
  const one = callText(written, turns, 'one');
  const split =
    two === undefined || second === undefined || first === undefined ? undefined : splitTwo(two, [first, second]);
  const alone = one === undefined ? undefined : splitOne(one, calls.one[0]);
  const found = findIn(split, first) ?? findIn(alone, first);
  if (found === undefined) return undefined;
  const assumed =
    split === undefined ? ['the template writes one call only; several are assumed to follow each other'] : [];
  const open = (found.assumed ?? []).filter((each) => each !== onlyId || !written.numbers);
  return withTypes({ ...found, assumed: [...open, ...assumed] }, written, turns);
}

function findIn(split: SplitCalls | undefined, call: ReturnType<typeof sampleCalls>['one'][0]): FoundCall | undefined {
  if (split === undefined) return undefined;
  return findJsonCall(split, call) ?? findLiteralCall(split, call) ?? findTaggedCall(split, call);
}

/**
 * The calls of a sample. Before them may stand what belongs to the turn, or what closes the text: of the reply without
 * text and what comes after the text in the other, the shorter has less of it.
 */
export function callText(written: Written, turns: Turns, sample: SampleName): string | undefined {
  const silent = written.rendering(sample);
  const said = written.saysText ? written.rendering(sample, 'said') : undefined;
  const replies = [silent, said].flatMap((rendering) => {
    if (rendering === undefined) return [];
    const reply = replyIn(rendering, turns);
    const at = reply.lastIndexOf(sentinels.text);
    return [at < 0 ? reply : reply.slice(at + sentinels.text.length)];
  });
  return replies.sort((one, other) => one.trim().length - other.trim().length)[0];
}

/** Whether the markup of a number differs from that of a string: then an attribute says what a value is. */
function withTypes(found: FoundCall, written: Written, turns: Turns): FoundCall {
  const { call } = found;
  if (call.form !== 'tags') return found;
  const text = callText(written, turns, 'typed') ?? '';
  const [textEnd, numberEnd] = [
    endAfter(text, { key: 'zqkey_a', value: typedValues.zqkey_a }),
    endAfter(text, { key: 'zqnumber', value: String(typedValues.zqnumber) }),
  ];
  const [asText, asJson] = [attributeIn(textEnd), attributeIn(numberEnd)];
  if (asText === undefined || asJson === undefined || asText.value === asJson.value) return found;
  const { parameter } = call;
  const after = typeof parameter.end === 'string' ? parameter.end : (parameter.end[0] ?? '');
  const end = after.replace(` ${asText.attribute}="${asText.value}"`, '');
  const typed = { attribute: asText.attribute, text: asText.value, json: asJson.value };
  return { ...found, call: { ...call, parameter: { ...parameter, end, typed } } };
}

function endAfter(text: string, { key, value }: { readonly key: string; readonly value: string }): string {
  const start = text.indexOf(key) + key.length;
  const end = text.indexOf(value, start);
  return start < key.length || end < 0 ? '' : text.slice(start, end);
}

/** `string` and `true` of `" string="true">`. */
function attributeIn(end: string): { readonly attribute: string; readonly value: string } | undefined {
  const [closing = '', value] = end.split('="');
  const attribute = closing.slice(1).trim();
  const stop = value?.indexOf('"') ?? -1;
  if (value === undefined || stop < 0 || attribute === '' || !closing.startsWith('"')) return undefined;
  return { attribute, value: value.slice(0, stop) };
}

const gemmaPrefix = 'call:';

/** Finds a call in Python, or in Gemma's literals. Undefined for any other. */
function findLiteralCall(split: SplitCalls, call: SampleCall): FoundCall | undefined {
  const nameAt = split.call.indexOf(call.name);
  const front = split.call.slice(0, nameAt);
  const after = split.call.slice(nameAt + call.name.length);
  const [key = '', value = ''] = [Object.keys(call.values)[0], Object.values(call.values)[0]].map(String);
  const keyAt = after.indexOf(key);
  const valueAt = after.indexOf(value, keyAt + key.length);
  if (nameAt < 0 || keyAt < 0 || valueAt < 0) return undefined;
  const assign = after.slice(keyAt + key.length, valueAt);
  const bracket = after.slice(0, keyAt).trim();
  const said = split.between === undefined ? {} : { between: split.between };
  if (bracket === '(' && (assign === '="' || assign === "='")) {
    return groupPython(split, { opener: front, closer: after.slice(after.lastIndexOf(')') + 1), ...said });
  }
  if (bracket !== '{' || !assign.startsWith(':') || !front.endsWith(gemmaPrefix)) return undefined;
  const quote = assign.slice(1).trim();
  if (quote === '' || quote === '"' || !after.startsWith(quote, valueAt + value.length)) return undefined;
  const closer = after.slice(after.lastIndexOf('}') + 1);
  const opener = front.slice(0, -gemmaPrefix.length);
  return { call: { form: 'gemma', opener, closer, ...said, quote }, ...aroundAll(split.section) };
}

interface PythonAround {
  readonly opener: string;
  readonly closer: string;
  readonly between?: string;
}

function groupPython({ section, between }: SplitCalls, around: PythonAround): FoundCall {
  const bare = around.opener.trim() === '' && around.closer.trim() === '';
  if (bare && section.opener.trimEnd().endsWith('[') && section.closer.trimStart().startsWith(']')) {
    return { call: { form: 'python', ...around, ...insideBrackets(section), grouping: 'list' } };
  }
  if (between === undefined && around.opener.trimEnd().endsWith('[') && around.closer.trimStart().startsWith(']')) {
    return { call: { form: 'python', ...around, ...insideBrackets(around), grouping: 'list' } };
  }
  if (bare && section.opener.trim() !== '') {
    return { call: { form: 'python', ...around, ...section, grouping: 'sequence' } };
  }
  return { call: { form: 'python', ...around }, ...aroundAll(section) };
}

/** What is between the sentinels of a call with two parameters. */
interface Gaps {
  readonly front: string;
  readonly nameToKey: string;
  readonly keyToValue: string;
  readonly valueToKey: string;
  readonly back: string;
}

/** Finds a call whose parameters are in markup one by one. Undefined where they are not, or where tags are names. */
function findTaggedCall(split: SplitCalls, call: SampleCall): FoundCall | undefined {
  const gaps = gapsOf(split.call, call);
  if (gaps === undefined || gaps.keyToValue.trim() === '') return undefined;
  if (Object.keys(call.values).some((key) => gaps.back.includes(key) || gaps.valueToKey.includes(key)))
    return undefined;
  const opener = gaps.nameToKey.slice(-sharedBack(gaps.nameToKey, gaps.valueToKey)).trimStart();
  // White space between two parameters goes with the first.
  const closeLength = Math.min(sharedFront(gaps.back, gaps.valueToKey), gaps.valueToKey.length - opener.length);
  const end = gaps.nameToKey.slice(0, gaps.nameToKey.length - opener.length);
  const closer = gaps.back.slice(0, closeLength);
  const { block, inner, innerCloser } = splitBlock(gaps.front, gaps.back.slice(closeLength));
  const table: TagsTable = {
    form: 'tags',
    ...(block === undefined ? {} : { block }),
    opener: inner,
    end,
    closer: innerCloser,
    ...(split.between === undefined ? {} : { between: split.between }),
    parameter: { opener, ...splitEnd(gaps.keyToValue), closer },
  };
  return { call: table, ...aroundAll(split.section) };
}

function gapsOf(text: string, { name, values }: SampleCall): Gaps | undefined {
  const [[keyA = '', valueA = ''] = [], [keyB = '', valueB = ''] = []] = Object.entries(values).map((pair) =>
    pair.map(String),
  );
  const words = [name, keyA, valueA, keyB, valueB];
  const gaps: string[] = [];
  let at = 0;
  for (const word of words) {
    const next = text.indexOf(word, at);
    if (word === '' || next < 0) return undefined;
    gaps.push(text.slice(at, next));
    at = next + word.length;
  }
  const [front = '', nameToKey = '', keyToValue = '', valueToKey = ''] = gaps;
  return { front, nameToKey, keyToValue, valueToKey, back: text.slice(at) };
}

/** `</key>` and `<value>` of what is between a key and its value; one marker is the end of the key. */
function splitEnd(text: string): Pick<ParameterTable, 'end' | 'value'> {
  const at = text.indexOf('<', text.indexOf('>') + 1);
  return at <= 0 || !text.includes('>') ? { end: text } : { end: text.slice(0, at), value: text.slice(at) };
}

/** The tag before the name, and what is around it where there are two. */
function splitBlock(front: string, back: string): { block?: AroundTable; inner: string; innerCloser: string } {
  const start = front.lastIndexOf('<');
  const closeEnd = back.indexOf('>') + 1;
  const outer = front.slice(0, Math.max(start, 0));
  if (outer.trim() === '' || !outer.includes('>')) return { inner: front, innerCloser: back };
  return {
    block: { opener: outer, closer: back.slice(closeEnd) },
    inner: front.slice(start),
    innerCloser: back.slice(0, closeEnd),
  };
}

/** Finds a call whose arguments are JSON: in one object with the name, or after it. Undefined where there is no JSON. */
function findJsonCall(split: SplitCalls, call: SampleCall): FoundCall | undefined {
  const whole = findJson(split.call, (value) => shapeOf(value, call) !== undefined);
  const shape = whole && shapeOf(whole.value, call);
  if (whole !== undefined && shape !== undefined) {
    const around = { opener: split.call.slice(0, whole.start), closer: split.call.slice(whole.end) };
    const { stringified = false, ...form } = shape;
    const grouped = groupJson({ form: 'json', ...around, ...form }, split);
    return { ...grouped, seen: stringified ? ['the arguments are as a JSON string'] : [] };
  }
  const given = findJson(split.call, (value) => hasArguments(value, call));
  return given && findHeaded(split, call, given);
}

type JsonForm = Pick<JsonTable, 'keys' | 'keyed'> & { readonly stringified?: boolean };

/** Under which keys name and arguments stand; undefined where the object is no such call. */
function shapeOf(value: FoundJson['value'], call: SampleCall): JsonForm | undefined {
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === call.name && hasArguments(first[1], call)) return { keyed: true };
  const name = entries.find(([, each]) => each === call.name)?.[0];
  const given = entries.find(([, each]) => hasArguments(each, call) || isStringified(each, call));
  if (name === undefined || given === undefined) return undefined;
  const id = entries.find(([, each]) => each === call.id)?.[0];
  const keys = {
    ...(name === 'name' ? {} : { name }),
    ...(given[0] === 'arguments' ? {} : { arguments: given[0] }),
    ...(id === undefined ? {} : { id }),
  };
  return { ...(Object.keys(keys).length === 0 ? {} : { keys }), stringified: isStringified(given[1], call) };
}

function hasArguments(value: unknown, { values }: SampleCall): boolean {
  return typeof value === 'object' && value !== null && Object.keys(values).every((key) => key in value);
}

function isStringified(value: unknown, call: SampleCall): boolean {
  return typeof value === 'string' && hasArguments(objectOf(value), call);
}

/** How the objects of a round are together. */
function groupJson(
  table: JsonTable & AroundTable,
  { section, between }: SplitCalls,
): Pick<FoundCall, 'call' | 'section' | 'turnEnd'> {
  const bare = table.opener.trim() === '' && table.closer.trim() === '';
  const said = between === undefined ? {} : { between };
  if (bare && section.opener.trimEnd().endsWith('[') && section.closer.trimStart().startsWith(']')) {
    return { call: { ...table, ...said, ...insideBrackets(section), grouping: 'list' } };
  }
  if (bare && section.opener.trim() !== '') {
    return { call: { ...table, ...said, ...section, grouping: 'sequence' } };
  }
  // One call alone may be in a list.
  if (between === undefined && table.opener.trimEnd().endsWith('[') && table.closer.trimStart().startsWith(']')) {
    return { call: { ...table, ...insideBrackets(table), grouping: 'list' } };
  }
  return { call: { ...table, ...said }, ...aroundAll(section) };
}

/** What is outside of the brackets of a list. */
function insideBrackets({ opener, closer }: AroundTable): AroundTable {
  return { opener: opener.slice(0, opener.lastIndexOf('[')), closer: closer.slice(closer.indexOf(']') + 1) };
}

/** A section, where one is written. What closes none ends the turn: the server goes on with results. */
function aroundAll({ opener, closer }: AroundTable): Pick<FoundCall, 'section' | 'turnEnd'> {
  if (opener.trim() !== '') return { section: { opener: opener.trimStart(), closer: closer.trimEnd() } };
  return closer.trim() === '' ? {} : { turnEnd: closer.trim() };
}

/** The name before the arguments. */
function findHeaded(split: SplitCalls, call: SampleCall, { start, end }: FoundJson): FoundCall | undefined {
  const front = split.call.slice(0, start);
  const header = headerIn(front, call);
  if (header === undefined) return undefined;
  const closer = split.call.slice(end);
  const separator = front.slice(header.end);
  const said = split.between === undefined ? {} : { between: split.between };
  const fence = separator.indexOf('```');
  const fenced = fence >= 0 && closer.trimStart().startsWith('```');
  const table: HeaderTable = {
    form: 'header',
    opener: front.slice(0, header.start),
    ...(header.form === '{name}' ? {} : { header: header.form }),
    separator: fenced ? separator.slice(0, fence) : separator,
    closer: fenced ? closer.trimStart().slice('```'.length) : closer,
    ...said,
    ...(fenced ? { fenced } : {}),
  };
  return { call: table, ...aroundAll(split.section), assumed: header.assumed ?? [] };
}

/** What is not known where a template writes the id of a call and no name. */
const onlyId = 'an id holds the name and the place of its call: the template writes only the id';

interface FoundHeader {
  readonly form: string;
  readonly start: number;
  readonly end: number;
  readonly assumed?: readonly string[];
}

/** The name, and the id where the model writes one beside it. */
function headerIn(front: string, { name, id }: SampleCall): FoundHeader | undefined {
  const idAt = front.indexOf(id);
  if (id.includes(name)) {
    if (idAt < 0) return undefined;
    return { form: 'functions.{name}:{index}', start: idAt, end: idAt + id.length, assumed: [onlyId] };
  }
  const nameAt = front.indexOf(name);
  if (nameAt < 0) return undefined;
  const nameEnd = nameAt + name.length;
  if (idAt < 0) return { form: '{name}', start: nameAt, end: nameEnd };
  const [start, end] = [Math.min(nameAt, idAt), Math.max(nameEnd, idAt + id.length)];
  const form = front.slice(start, end).replace(name, '{name}').replace(id, '{id}');
  return { form, start, end };
}

/** A JSON object in a text, and where it stands. */
interface FoundJson {
  readonly start: number;
  readonly end: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The first object in a text that is whole JSON and is `wanted`; the outermost of those that begin first. */
function findJson(text: string, wanted: (value: FoundJson['value']) => boolean): FoundJson | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const end = balancedEnd(text, start);
    const value = end === undefined ? undefined : objectOf(text.slice(start, end));
    if (end !== undefined && value !== undefined && wanted(value)) return { start, end, value };
  }
  return undefined;
}

/** An object of JSON text. */
function objectOf(text: string): FoundJson['value'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function balancedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
