import { cdataClose, cdataOpen } from '../forms/tags/value-end.ts';
import { isWordSign, ownFence } from './marker-signs.ts';
import type { PlainTable } from './plain-table.ts';
import { tableMarkers } from './table-literals.ts';
import type { TableProblem } from './table-shape.ts';

/** A text of a table, and which slots mean something in it. */
interface TableText {
  readonly path: TableProblem['path'];
  readonly text: string;
  readonly slots: readonly string[];
}

/** Texts that mean something else than their author thinks: unknown slots, fences of Markdown, markers inside of others. */
export function checkTexts(table: PlainTable): readonly TableProblem[] {
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
    const remedy = slots.length === 0 ? 'write the text without it' : `known are ${known}`;
    return [{ path, reason: `{${unknown}} stands for nothing here; ${remedy}` }];
  }
  // The first brace of a header, or of what stands in front of arguments, opens the arguments.
  const braces = text.split('{').length - 1;
  return path.at(-1) === 'header' && braces > found.length
    ? [{ path, reason: `a brace opens the arguments; only ${known} may stand in braces` }]
    : [];
}

/** What looks like a slot: a word in braces. */
function slotsIn(text: string): readonly string[] {
  return text
    .split('{')
    .slice(1)
    .flatMap((behind) => {
      const name = behind.slice(0, Math.max(0, behind.indexOf('}')));
      return name !== '' && [...name].every(isWordSign) ? [name] : [];
    });
}

/** What quotes text in Markdown and in markup is no marker of its own. */
function checkQuoting({ path, text }: TableText, { call }: PlainTable): readonly TableProblem[] {
  if ([cdataOpen, cdataClose].some((literal) => text.includes(literal))) {
    return [
      { path, reason: 'CDATA stands around values that hold markup; leave it out, it is written where it is needed' },
    ];
  }
  if (!text.includes('```') && !text.includes('~~~')) return [];
  // A fence with a word of its own, or with the name of a tool in it, opens nothing else.
  const mayOpen = call.guarded || ownFence(call.opener.trim());
  if (mayOpen && path.length === 2 && (path[1] === 'opener' || path[1] === 'closer')) return [];
  const reason =
    'a Markdown fence opens code, too; leave it out, with "fenced" where it stands around the arguments, or use the dialect "fenced-json"';
  return [{ path, reason }];
}

/** What stands inside a call ends it, or is told apart from it, where it holds another marker. */
function checkInner(table: PlainTable, texts: readonly TableText[]): readonly TableProblem[] {
  const inner = ['header', 'separator', 'end', 'value'];
  const markers = tableMarkers(table).filter(({ literal }) => literal.length > 2);
  return texts.flatMap(({ path, text }) => {
    if (!inner.includes(String(path.at(-1)))) return [];
    const held = markers.find(({ literal }) => text.includes(literal));
    if (held === undefined) return [];
    return [{ path, reason: `holds the marker ${JSON.stringify(held.literal)} of "${held.path.join('.')}"` }];
  });
}

/** Every text of a table, wherever it stands, but for the keys of JSON. */
function tableTexts(table: PlainTable): readonly TableText[] {
  return textsIn(table, []);
}

function textsIn(value: unknown, path: TableProblem['path']): readonly TableText[] {
  if (typeof value === 'string') return [{ path, text: value, slots: slotsAt(path) }];
  if (Array.isArray(value)) return value.flatMap((each: unknown, at) => textsIn(each, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === 'keys' ? [] : textsIn(each, [...path, key])));
}

function slotsAt(path: TableProblem['path']): readonly string[] {
  const [first, second] = path;
  if (first === 'result') return ['name', 'quoted', 'id', 'number'];
  if (path.at(-1) === 'closer' && second === 'parameter') return ['key'];
  return first === 'call' && second === 'header' ? ['name', 'id', 'index'] : [];
}
