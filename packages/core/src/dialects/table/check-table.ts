import { headerForm } from '../forms/header/header-form.ts';
import { argumentAliases, commonKeys, nameAliases } from '../forms/json/call-keys.ts';
import { cdataClose, cdataOpen } from '../forms/tags/value-end.ts';
import { backticks } from '../parser/documentation/fenced-code.ts';
import type {
  CallTable,
  DialectTable,
  GemmaTable,
  HeaderTable,
  JsonTable,
  Literals,
  NamedTagsTable,
  ParameterTable,
  TagsTable,
} from '../table.ts';
import { checkReaders } from './check-readers.ts';
import { checkProse, checkSpellings } from './check-spellings.ts';
import { endsName, isWordSign, ownFence } from './literal-makeup.ts';
import { attributeOpener, isPadded, writtenText } from './literals.ts';
import { aroundCalls, commonMarkers, type MarkerRole, type TableMarker, tableMarkers } from './table-literals.ts';
import { checkShape, type TableProblem } from './table-shape.ts';

/**
 * Everything that is wrong in a table, the first thing at each place: where it is none, else what its types cannot say.
 * `readers`: the names of those that it may name. Default: any.
 */
export function checkTable(table: DialectTable, readers?: readonly string[]): readonly TableProblem[] {
  const problems = checkShape(table);
  if (problems.length > 0) return problems;
  return [...checkMeaning(table), ...(readers === undefined ? [] : checkReaders(table, readers))];
}

function checkMeaning(table: DialectTable): readonly TableProblem[] {
  const { also = [] } = table;
  const seen = new Set<string>();
  const own = [checkCall, checkTexts, checkMarkers].flatMap((check) => check(table));
  const others = also.flatMap((call, at) => checkAlso({ ...table, call }, at));
  return [...own, ...others, ...checkSpellings(table)].filter(({ path }) => {
    const place = path.join('.');
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

/** A form that is only read: whether it can tell where its calls, their names and their arguments begin and end. */
function checkAlso(table: DialectTable, at: number): readonly TableProblem[] {
  return [checkCall, checkTexts]
    .flatMap((check) => check(table))
    .flatMap(({ path: [first, ...rest], reason }) =>
      first === 'call' ? [{ path: ['also', at, ...rest], reason }] : [],
    );
}

/** Whether the form can tell where a call, its name and its arguments begin and end. */
function checkCall(table: DialectTable): readonly TableProblem[] {
  const { call } = table;
  const { section, reasoning, result } = aroundCalls(table);
  const blank = (path: readonly string[], text: Literals | undefined, reason: string) =>
    text === undefined || writtenText(text).trim() !== '' ? [] : [{ path, reason }];
  return [
    ...checkOpener(call),
    ...(call.form === 'json' ? checkKeys(call) : []),
    ...(call.form === 'header' ? checkHeader(call) : []),
    ...(call.form === 'tags' ? checkTagged(call) : []),
    ...(call.form === 'gemma' ? checkQuote(call) : []),
    ...checkBetween(call),
    ...blank(['section', 'opener'], section?.opener, 'must not be empty'),
    ...blank(['call', 'block', 'opener'], call.block?.opener, 'must not be empty'),
    ...blank(['result', 'opener'], result?.opener, 'must not be empty: it tells a result from a message'),
    ...blank(['reasoning', 'opener'], reasoning?.opener, 'must not be empty'),
    ...blank(['reasoning', 'closer'], reasoning?.closer, 'must say what ends the thinking, such as "</think>"'),
    ...checkThinkingEnds(table),
  ];
}

/** A closer counts with any white space around it, so that some of its own would have no effect. */
function checkThinkingEnds({ reasoning = [] }: DialectTable): readonly TableProblem[] {
  const isOne = 'opener' in reasoning;
  return (isOne ? [reasoning] : reasoning).flatMap(({ closer }, at) => {
    const bare = closer.trim();
    if (bare === closer || bare === '') return [];
    const path = ['reasoning', ...(isOne ? [] : [at]), 'closer'];
    return [
      { path, reason: `must be ${JSON.stringify(bare)}: white space around it stays in the thinking and the text` },
    ];
  });
}

function checkOpener(call: CallTable): readonly TableProblem[] {
  const problem = (key: string, reason: string) => [{ path: ['call', key], reason }];
  if (call.form === 'named-tags') return checkNamedTags(call);
  const first = writtenText(call.opener).trim().charAt(0);
  if (call.form === 'python' && (first === '"' || first === "'")) {
    return problem(
      'opener',
      'must not begin with a quotation mark, which would end a string in a call: write a sign such as "<"',
    );
  }
  if (first !== '') return [];
  const isBare =
    (call.form === 'json' && call.keyed !== true && call.grouping !== 'sequence') ||
    (call.form === 'python' && call.grouping === 'list');
  if (isBare) {
    return writtenText(call.closer).trim() === ''
      ? []
      : problem('closer', 'must be empty where no opener comes before a call');
  }
  return problem(
    'opener',
    call.form === 'json'
      ? 'must not be empty: without a marker and a key for the name nothing tells a call'
      : 'must not be empty: write the marker that comes before a call',
  );
}

/** Without an opener the names of tools are the tags, and nothing else is. */
function checkNamedTags({ opener = '', end, closer = '' }: NamedTagsTable): readonly TableProblem[] {
  if (opener.trim() !== '') {
    const open = closer.trim() === '';
    return [
      ...(open ? [{ path: ['call', 'closer'], reason: 'must say what ends a call, where it has an opener' }] : []),
      ...checkTag(['call'], { opener, end: end ?? '>' }),
    ];
  }
  const reason = 'must be left out where no opener is in front of a name';
  return Object.entries({ opener, end, closer }).flatMap(([key, text = '']) =>
    text === '' ? [] : [{ path: ['call', key], reason }],
  );
}

/** Each key has to say one thing alone, also under the names that every dialect knows. */
function checkKeys({ keys, keyed }: JsonTable): readonly TableProblem[] {
  if (keys === undefined) return [];
  if (keyed === true)
    return [{ path: ['call', 'keys'], reason: 'must be left out: with "keyed" the one key is the name' }];
  const meanings = {
    name: [keys.name ?? commonKeys.name, commonKeys.name, ...nameAliases],
    arguments: [keys.arguments ?? commonKeys.arguments, ...argumentAliases],
    id: [keys.id ?? commonKeys.id, commonKeys.id],
  };
  return (['name', 'arguments', 'id'] as const).flatMap((key) => {
    const own = keys[key];
    if (own === undefined) return [];
    const path = ['call', 'keys', key];
    if (own === '') return [{ path, reason: 'must not be empty' }];
    if (own === 'type') return [{ path, reason: 'must not be "type", which says nothing in a call' }];
    const other = (['name', 'arguments', 'id'] as const).find((each) => each !== key && meanings[each].includes(own));
    if (other === undefined) return [];
    return [{ path, reason: `${JSON.stringify(own)} is read as the ${other}, too: each needs a key of its own` }];
  });
}

function checkHeader(table: HeaderTable): readonly TableProblem[] {
  const header = headerOf(table) ?? '{name}';
  const separator = writtenText(table.separator);
  const wrong = (key: string, reason: string) => [{ path: ['call', key], reason }];
  const { slots, between } = headerForm(header);
  if (slots.filter((slot) => slot === 'name').length !== 1) {
    return wrong('header', 'must hold {name} once, where the name of the tool stands');
  }
  if (header.includes('}{')) return wrong('header', 'needs a literal between two of {name}, {id} and {index}');
  if (new Set(slots).size < slots.length) return wrong('header', 'must hold {id} and {index} only once');
  if (slots.includes('id') && slots.includes('index')) {
    return wrong('header', 'must not hold both {id} and {index}: a header with an index is itself the id');
  }
  const open = between.find((text, at) => slots[at + 1] !== 'index' && !endsName(text));
  if (open !== undefined) {
    return wrong('header', `${JSON.stringify(open)} may be in a name: write a sign such as "[" or "|" there`);
  }
  if (separator.includes('{')) return wrong('separator', 'must end before the brace that opens the arguments');
  if (separator.trim() !== '' && !endsName(separator)) {
    return wrong('separator', `${JSON.stringify(separator)} may be in a name: write a sign such as ">" or "|" there`);
  }
  return [];
}

/** What opens a string may open no other value, and end no key. */
function checkQuote({ quote }: GemmaTable): readonly TableProblem[] {
  const path = ['call', 'quote'];
  if (quote.trim() === '') return [{ path, reason: 'must be the token on both sides of a string' }];
  const first = quote.trim().charAt(0);
  if (!'[{("\'-:'.includes(first) && !isWordSign(first)) return [];
  return [
    { path, reason: 'begins as another value or a colon does: write a token that begins with a sign such as "<"' },
  ];
}

/** What is between two calls may be read as no text. */
function checkBetween(call: CallTable): readonly TableProblem[] {
  const between = betweenOf(call);
  if (between === undefined) return [];
  const grouping = 'grouping' in call ? (call.grouping ?? 'each') : 'each';
  const said = between.trim();
  const isBare = writtenText(call.opener).trim() === '';
  const problem = (reason: string) => [{ path: ['call', 'between'], reason }];
  if (grouping === 'list') return said === ',' ? [] : problem('must be a comma, with white space around it, in a list');
  const allowed = call.form === 'json' && (grouping === 'sequence' || isBare) ? ['', ',', ';'] : [''];
  if (!allowed.includes(said)) {
    return problem(
      allowed.length > 1
        ? 'must be white space, with a comma or a semicolon in it or none'
        : 'must be white space alone',
    );
  }
  return said === '' && between === '' && call.form === 'python' && grouping === 'sequence'
    ? problem('must not be empty: a newline is between two calls')
    : [];
}

/** Whether the names and values of a `tags` call can be told from the markup around them. */
function checkTagged({ parameter, nested, ...call }: TagsTable): readonly TableProblem[] {
  const opener = writtenText(call.opener);
  const closer = writtenText(call.closer);
  return [
    ...checkTag(['call'], call),
    ...(closer.trim() === '' ? [{ path: ['call', 'closer'], reason: 'must say what ends a call' }] : []),
    // Where every tag has a mark in front of it, the opener of a call may be without.
    ...checkParameter(parameter, [opener, nested ? closer : opener]),
  ];
}

/** `around`: the closer of a value begins as one of these does. */
function checkParameter(parameter: ParameterTable, around: readonly string[]): readonly TableProblem[] {
  const opener = writtenText(parameter.opener).trim();
  const end = writtenText(parameter.end).trim();
  const closer = writtenText(parameter.closer).trim();
  const wrong = (reason: string, ...key: string[]) => [{ path: ['call', 'parameter', ...key], reason }];
  if (opener === '' && closer === '') {
    return wrong(
      `lines like ${JSON.stringify(`key ${end} value`)} cannot be read by a table: a text of several lines may hold one; see docs/adding-a-dialect.md#what-no-table-can-say`,
    );
  }
  const begins = around.some((text) => text.trim()[0] === closer[0]);
  return [
    ...checkTag(['call', 'parameter'], parameter),
    ...checkEdges(parameter),
    ...checkTyped(parameter),
    ...(opener === '' ? wrong('must say what is in front of a key: a line of text may look like one', 'opener') : []),
    ...(end === ''
      ? wrong('must say what ends a key, such as ">": white space alone ends only the name of a call', 'end')
      : []),
    ...(closer === '' ? wrong('must say what ends a value: a newline may be in it', 'closer') : []),
    ...(closer === '' || begins
      ? []
      : wrong(`must begin with the character that a call begins with, ${JSON.stringify(around[0]?.[0])}`, 'closer')),
  ];
}

/** An opener with a name after it, and what ends the name. */
function checkTag(
  path: readonly string[],
  tag: { readonly opener: Literals; readonly end: Literals },
): readonly TableProblem[] {
  const [opener, end] = [writtenText(tag.opener), writtenText(tag.end)];
  const quote = attributeOpener(opener)?.quote;
  const wrong = (reason: string) => [{ path: [...path, 'end'], reason }];
  if (quote !== undefined) {
    if (end.startsWith(quote) && endsName(end.slice(1))) return [];
    return wrong(
      `must begin with ${JSON.stringify(quote)}, which the opener has opened, and hold what ends the tag, such as ">"`,
    );
  }
  if (isWordSign(opener.slice(-1))) {
    const reason = 'must not end in a letter or digit: a name would go on with it; write a sign or a space after it';
    return [{ path: [...path, 'opener'], reason }];
  }
  if (end.trim() === '' || endsName(end)) return [];
  return wrong(`${JSON.stringify(end)} may be in a name: write a sign such as ">" there`);
}

function checkEdges(parameter: ParameterTable): readonly TableProblem[] {
  const front = writtenText(parameter.value ?? parameter.end);
  const closer = writtenText(parameter.closer);
  const padded = isPadded(parameter) && parameter.typed === undefined;
  const edges = padded ? [front.slice(0, -1), closer.slice(1)] : [front, closer];
  if (edges[0]?.trimEnd() === edges[0] && edges[1]?.trimStart() === edges[1]) return [];
  const reason = `values are read with their white space: write one newline on both sides of them, or none; here a value is between ${JSON.stringify(front)} and ${JSON.stringify(closer)}`;
  return [{ path: ['call', 'parameter'], reason }];
}

function checkTyped({ opener, typed }: ParameterTable): readonly TableProblem[] {
  if (typed === undefined) return [];
  const wrong = (reason: string, ...path: string[]) => [{ path: ['call', 'parameter', 'typed', ...path], reason }];
  const own = attributeOpener(writtenText(opener));
  if (own === undefined) return wrong('needs an opener that ends in an attribute, such as "<parameter name=\\""');
  if (!isAttributeName(typed.attribute)) return wrong('must be the name of an attribute', 'attribute');
  if (typed.attribute === own.attribute) return wrong('must differ from the attribute that holds the key', 'attribute');
  if (typed.text === typed.json) return wrong('must differ from what JSON is marked with', 'text');
  const quoted = (['text', 'json'] as const).find((key) => [...typed[key]].some((sign) => '"\'<>\n'.includes(sign)));
  return quoted === undefined ? [] : wrong('must be in quotation marks: leave out quotes and brackets', quoted);
}

function isAttributeName(text: string): boolean {
  const isNameSign = (sign: string) => ':.-'.includes(sign) || (sign < '\x80' && isWordSign(sign));
  return text !== '' && [...text].every(isNameSign);
}

/**
 * What may be written alike: where either is found, the other may be meant, and the parser tells by what is around it.
 * Of what ends a turn it matters only that it does.
 */
const alike: readonly (readonly [MarkerRole, MarkerRole])[] = [
  ['call closer', 'section closer'],
  ['call closer', 'turn end'],
  ['section closer', 'turn end'],
  ['reasoning closer', 'turn end'],
  ['silent', 'answer'],
  ['turn end', 'turn end'],
  ['silent', 'silent'],
];

/** Markers that prose could hold, and markers that cannot be told from each other. */
function checkMarkers(table: DialectTable): readonly TableProblem[] {
  // What closes a fence is no marker: it closes any.
  const markers = tableMarkers(table).filter(({ literal }) => literal !== backticks);
  const guarded = isGuarded(table.call);
  return [
    ...markers.flatMap((marker) => (marker.role === 'call opener' && guarded ? [] : checkProse(marker))),
    ...markers.flatMap((marker, at) =>
      [...markers.slice(0, at), ...commonMarkers].flatMap((other) => collision(marker, other)).slice(0, 1),
    ),
  ];
}

function collision(marker: TableMarker, other: TableMarker): readonly TableProblem[] {
  const { path, literal } = marker;
  const what = other.path.length === 0 ? `what every dialect knows as ${other.role}` : `"${other.path.join('.')}"`;
  if (literal === other.literal) {
    if (mayBeAlike(marker, other)) return [];
    return [{ path, reason: `${JSON.stringify(literal)} is ${what}, too: each needs a marker of its own` }];
  }
  const [inner, outer] = literal.length < other.literal.length ? [marker, other] : [other, marker];
  if (!holds(outer.literal, inner)) return [];
  const held = `${JSON.stringify(inner.literal)} is inside ${JSON.stringify(outer.literal)}`;
  return [{ path, reason: `cannot be told from ${what}: ${held}; write the whole markers, one at each place` }];
}

function mayBeAlike(one: TableMarker, other: TableMarker): boolean {
  // The table's own pair of thinking may be the common one.
  if (other.path.length === 0 && one.role === other.role) return true;
  return alike.some(([a, b]) => (one.role === a && other.role === b) || (one.role === b && other.role === a));
}

/** Does `text` hold the marker? A tag is not held by a longer tag: `<invoke` counts only with white space after it. */
function holds(text: string, { literal, isTag }: TableMarker): boolean {
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const after = text.charAt(at + literal.length);
    if (isTag !== true || after === '' || after.trim() === '') return true;
  }
  return false;
}

/** A text of a table, and which slots mean something in it. */
interface TableText {
  readonly path: TableProblem['path'];
  readonly text: string;
  readonly slots: readonly string[];
}

/** Texts that mean something else than their author thinks: unknown slots, fences of Markdown, markers inside of others. */
function checkTexts(table: DialectTable): readonly TableProblem[] {
  const texts = tableTexts(table);
  return [
    ...texts.flatMap(checkSlots),
    ...texts.flatMap((text) => checkQuoting(text, table)),
    ...checkInner(table, texts),
  ];
}

function checkSlots({ path, text, slots }: TableText): readonly TableProblem[] {
  const found = slotsIn(text);
  const unknown = found.find((name) => !slots.includes(name));
  const known = slots.map((name) => `{${name}}`).join(', ');
  if (unknown !== undefined) {
    const remedy = slots.length === 0 ? 'write the text without it' : `known: ${known}`;
    return [{ path, reason: `{${unknown}} stands for nothing here; ${remedy}` }];
  }
  // The first brace of a header, or of what comes before arguments, opens the arguments.
  const braces = text.split('{').length - 1;
  return path.at(-1) === 'header' && braces > found.length
    ? [{ path, reason: `a brace opens the arguments; only ${known} may be in braces` }]
    : [];
}

/** What looks like a slot: a word in braces. */
function slotsIn(text: string): readonly string[] {
  return text
    .split('{')
    .slice(1)
    .flatMap((after) => {
      const name = after.slice(0, Math.max(0, after.indexOf('}')));
      return name !== '' && [...name].every(isWordSign) ? [name] : [];
    });
}

/** What quotes text in Markdown and in markup is no marker of its own. */
function checkQuoting({ path, text }: TableText, { call }: DialectTable): readonly TableProblem[] {
  if ([cdataOpen, cdataClose].some((literal) => text.includes(literal))) {
    return [
      { path, reason: 'CDATA is around values that hold markup; leave it out, it is written where it is needed' },
    ];
  }
  if (!text.includes('```') && !text.includes('~~~')) return [];
  // A fence with a word of its own, or with the name of a tool in it, opens nothing else.
  const mayOpen = isGuarded(call) || ownFence(writtenText(call.opener).trim());
  if (mayOpen && path.length === 2 && (path[1] === 'opener' || path[1] === 'closer')) return [];
  const reason =
    'a Markdown fence opens code, too; leave it out, with "fenced" where it is around the arguments, or use the dialect "fenced-json"';
  return [{ path, reason }];
}

/** What is inside a call ends it, or is told apart from it, where it holds another marker. */
function checkInner(table: DialectTable, texts: readonly TableText[]): readonly TableProblem[] {
  const inner = ['header', 'separator', 'end', 'value'];
  const markers = tableMarkers(table).filter(({ literal }) => literal.length > 2);
  return texts.flatMap(({ path, text }) => {
    if (!inner.includes(String(path.at(-1)))) return [];
    const held = markers.find(({ literal }) => text.includes(literal));
    if (held === undefined) return [];
    return [{ path, reason: `holds the marker ${JSON.stringify(held.literal)} of "${held.path.join('.')}"` }];
  });
}

/** What is written of a table, but for lessons and the keys of JSON. */
function tableTexts(table: DialectTable): readonly TableText[] {
  const { call, turnEnds = [], silent = [] } = table;
  const tokens = Object.entries({ turnEnds, silent }).flatMap(([key, all]) =>
    all.flatMap((token, at) => (typeof token === 'string' ? textsIn(token, [key, at]) : [])),
  );
  const header = call.form === 'header' ? headerOf(call) : undefined;
  return [...textsIn({ call: { ...call, header, between: betweenOf(call) }, ...aroundCalls(table) }, []), ...tokens];
}

/** Fields that hold what is written, or others that do. */
const writtenFields: readonly string[] = [
  ...['call', 'section', 'reasoning', 'result', 'opener', 'closer', 'block', 'between', 'header', 'separator'],
  ...['end', 'parameter', 'value', 'typed', 'attribute', 'text', 'json', 'quote'],
];

function textsIn(value: unknown, path: TableProblem['path']): readonly TableText[] {
  if (typeof value === 'string') return [{ path, text: value, slots: slotsAt(path) }];
  // Of several ways to write it the first.
  if (Array.isArray(value)) return textsIn(typeof value[0] === 'string' ? value[0] : value[0]?.text, path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    writtenFields.includes(key) ? textsIn(each, [...path, key]) : [],
  );
}

/** What is between two calls that are written in a row; what a reader reads is written as the template has it. */
function betweenOf(call: CallTable): string | undefined {
  return call.written !== undefined || (call.form === 'header' && call.reader !== undefined) ? undefined : call.between;
}

function headerOf({ header, reader }: HeaderTable): string | undefined {
  return reader === undefined ? header : undefined;
}

/** What comes after the opener shows a call, also where the opener is in prose. */
function isGuarded(call: CallTable): boolean {
  if (call.form === 'header') return call.guarded ?? call.reader !== undefined;
  return call.form === 'json' && call.guarded === true;
}

function slotsAt(path: TableProblem['path']): readonly string[] {
  const [first, second] = path;
  if (first === 'result') return ['name', 'quoted', 'id', 'number'];
  if (path.at(-1) === 'closer' && second === 'parameter') return ['key'];
  return first === 'call' && second === 'header' ? ['name', 'id', 'index'] : [];
}
