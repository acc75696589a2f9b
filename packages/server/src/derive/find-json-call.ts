import type { Around, HeaderTable, JsonTable } from '@dragoman/core';
import type { FoundCall } from './found-call.ts';
import { type FoundJson, findJson, objectOf } from './json-in.ts';
import type { SampleCall } from './samples.ts';
import type { SplitCalls } from './split-calls.ts';

/** Finds a call whose arguments are JSON: in one object with the name, or after it. Undefined where there is no JSON. */
export function findJsonCall(split: SplitCalls, call: SampleCall): FoundCall | undefined {
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
  table: JsonTable & Around,
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
export function insideBrackets({ opener, closer }: Around): Around {
  return { opener: opener.slice(0, opener.lastIndexOf('[')), closer: closer.slice(closer.indexOf(']') + 1) };
}

/** A section, where one is written. What closes none ends the turn: the server goes on with results. */
export function aroundAll({ opener, closer }: Around): Pick<FoundCall, 'section' | 'turnEnd'> {
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
export const onlyId = 'an id holds the name and the place of its call: the template writes only the id';

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
