import { repairs } from '../parser/call-warnings.ts';
import type { CallTable } from '../table.ts';

/** A place in a table, and what is wrong there with what to write instead. */
export interface TableProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** What may be at a place. */
type Form =
  | 'text'
  | 'texts'
  /** One text, or a list of them. */
  | 'text or texts'
  /** A text, or `{ text }` with what there is to say of it. */
  | 'literals'
  /** One of these, or a list of them. */
  | 'literal or literals'
  | 'prose'
  | 'proses'
  | 'switch'
  | 'any'
  | { readonly oneOf: readonly string[] }
  | { readonly list: Shape | ((value: unknown) => Shape | string) }
  | { readonly either: Shape }
  | Shape;

/** What an object holds: what it has to, and what it may. */
interface Shape {
  readonly needed: Readonly<Record<string, Form>>;
  readonly may: Readonly<Record<string, Form>>;
}

/** More is no marker that a model was taught. In UTF-16 units. */
const longestText = 256;
/** What a model is told in one piece. */
const longestProse = 4096;
/** So many tokens of one kind, in so many spellings, no model has. */
const mostTexts = 256;

const repair = { oneOf: Object.keys(repairs) } as const;
const around: Shape = { needed: { opener: 'text', closer: 'text' }, may: {} };
const marked: Shape = { needed: { opener: 'literal or literals', closer: 'literal or literals' }, may: {} };
const literal: Shape = {
  needed: { text: 'text' },
  may: {
    repair,
    place: { oneOf: ['line-start', 'reply-start'] },
    end: 'text or texts',
    unnamed: 'text',
    alone: 'switch',
    afterCall: 'switch',
  },
};
const calls = { between: 'text', written: 'prose', block: marked, closerOptional: 'switch' } as const;
const grouping = { oneOf: ['each', 'list', 'sequence'] } as const;
const keys: Shape = { needed: {}, may: { name: 'text', arguments: 'text', id: 'text' } };
const typed: Shape = { needed: { attribute: 'text', text: 'text', json: 'text' }, may: {} };
const nested: Shape = { needed: { mark: 'text', reserved: 'texts' }, may: {} };
const parameter: Shape = {
  needed: { ...marked.needed, end: 'text or texts' },
  may: { value: 'literal or literals', typed },
};

const forms: Readonly<Record<CallTable['form'], Shape>> = {
  json: {
    needed: marked.needed,
    may: {
      ...calls,
      ...{ grouping, keys, brackets: around, keyed: 'switch', object: 'prose', fenced: 'switch' },
      ...{ guarded: 'switch', headerEnd: 'text' },
    },
  },
  header: {
    needed: { ...marked.needed, separator: 'literal or literals' },
    may: {
      ...calls,
      ...{ header: 'text', idOptional: 'switch', reader: 'text', fenced: 'switch', guarded: 'switch' },
      ...{ notBefore: 'texts', argumentsRepair: repair, channelWords: 'texts' },
    },
  },
  tags: {
    needed: { ...marked.needed, end: 'text or texts', parameter },
    may: { ...calls, endRepair: repair, inner: 'text', nested, jsonParameters: 'texts', attributes: 'text' },
  },
  'named-tags': {
    needed: {},
    may: { ...calls, opener: 'text', end: 'text', closer: 'text', padded: 'switch', tags: 'text' },
  },
  python: { needed: marked.needed, may: { ...calls, grouping, prefix: 'text', suffix: 'text', wrappers: 'texts' } },
  gemma: { needed: { ...marked.needed, quote: 'text' }, may: calls },
};

const tools: Shape = { needed: around.needed, may: { between: 'text', each: around, tool: 'prose' } };

const aroundCalls = {
  also: { list: (value: unknown) => shapeOfCall(value, { repair, first: 'switch' }) },
  section: { needed: marked.needed, may: { optional: 'switch', nested: 'switch' } },
  strays: 'literals',
  reasoning: {
    either: {
      needed: { opener: 'literal or literals', closer: 'text' },
      may: { until: 'literals', atStart: 'switch' },
    },
  },
  result: {
    needed: around.needed,
    may: { between: 'text', around, error: around, json: 'any', read: 'literals' },
  },
  otherTurns: 'literals',
  turnEnds: 'literals',
  silent: 'literals',
  labels: 'literals',
  answerTags: 'switch',
  names: { oneOf: ['exact'] },
  markers: 'texts',
  plainMarkup: 'switch',
  ids: 'text',
  lesson: { needed: {}, may: { intro: 'prose', tools, form: 'prose', rules: 'proses' } },
  readers: 'texts',
  summary: 'prose',
} as const;

/** Where a table is no `DialectTable`: what callers without types have left out, misspelt, or written of another type. */
export function checkShape(table: unknown): readonly TableProblem[] {
  const call = shapeOfCall(memberOf(table, 'call'), {});
  if (typeof call === 'string') return [{ path: ['call', 'form'], reason: call }];
  return checkForm(table, { needed: { call }, may: aroundCalls }, []);
}

/** What a call of its form holds; what is wrong with the form where it is none. */
function shapeOfCall(value: unknown, more: Shape['may']): Shape | string {
  const form = memberOf(value, 'form');
  const known = Object.entries(forms).find(([name]) => name === form);
  if (known === undefined) return `must be one of ${Object.keys(forms).join(', ')}`;
  const [name, { needed, may }] = known;
  return { needed: { form: { oneOf: [name] }, ...needed }, may: { ...may, ...more } };
}

function checkForm(value: unknown, form: Form, path: TableProblem['path']): readonly TableProblem[] {
  const unless = (fits: boolean, reason: string) => (fits ? [] : [{ path, reason }]);
  switch (form) {
    case 'any':
      return [];
    case 'text':
      return checkText(value, longestText, path);
    case 'prose':
      return checkText(value, longestProse, path);
    case 'switch':
      return unless(typeof value === 'boolean', 'must be true or false');
    case 'texts':
    case 'proses':
      return checkList(value, path, (each, at) => checkForm(each, form === 'texts' ? 'text' : 'prose', at));
    case 'text or texts':
      return checkForm(value, Array.isArray(value) ? 'texts' : 'text', path);
    case 'literals':
      return checkList(value, path, (each, at) =>
        checkForm(each, typeof each === 'object' && each !== null ? literal : 'text', at),
      );
    case 'literal or literals':
      return checkForm(value, Array.isArray(value) ? 'literals' : 'text', path);
  }
  if ('oneOf' in form) {
    return unless(
      form.oneOf.some((each) => each === value),
      `must be one of ${form.oneOf.join(', ')}`,
    );
  }
  if ('either' in form) {
    return Array.isArray(value)
      ? checkList(value, path, (each, at) => checkForm(each, form.either, at))
      : checkForm(value, form.either, path);
  }
  if (!('list' in form)) return checkMembers(value, form, path);
  const { list } = form;
  return checkList(value, path, (each, at) => {
    const shape = typeof list === 'function' ? list(each) : list;
    return typeof shape === 'string' ? [{ path: [...at, 'form'], reason: shape }] : checkMembers(each, shape, at);
  });
}

function checkText(value: unknown, longest: number, path: TableProblem['path']): readonly TableProblem[] {
  if (typeof value !== 'string') return [{ path, reason: 'must be a text' }];
  return value.length <= longest ? [] : [{ path, reason: `must not be longer than ${longest} characters` }];
}

function checkList(
  value: unknown,
  path: TableProblem['path'],
  check: (each: unknown, at: TableProblem['path']) => readonly TableProblem[],
): readonly TableProblem[] {
  if (!Array.isArray(value)) return [{ path, reason: 'must be a list of texts' }];
  if (value.length > mostTexts) return [{ path, reason: `must not hold more than ${mostTexts} texts` }];
  return value.flatMap((each: unknown, at) => check(each, [...path, at]));
}

/** `undefined` is no member, as JSON has none. */
function checkMembers(value: unknown, { needed, may }: Shape, path: TableProblem['path']): readonly TableProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path, reason: 'must be an object' }];
  }
  const members = new Map(Object.entries({ ...needed, ...may }));
  const unknown = Object.keys(value).filter((key) => !members.has(key));
  return [
    ...[...members].flatMap(([key, form]) => {
      const member = memberOf(value, key);
      return member === undefined && !Object.hasOwn(needed, key) ? [] : checkForm(member, form, [...path, key]);
    }),
    ...unknown.map((key) => ({
      path: [...path, key],
      reason: `is unknown; known are ${[...members.keys()].join(', ')}`,
    })),
  ];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
