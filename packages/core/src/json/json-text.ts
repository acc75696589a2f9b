import { madeOnce } from '../chat/made-once.ts';
/** JSON text that is in a body in the place of its value, because JavaScript would change the value's numbers. */
export class JsonText {
  readonly text: string;

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  /** What `JSON.stringify` makes of it, which knows only values: numbers lose what they lose. `writeJson` keeps them. */
  toJSON(): unknown {
    found = true;
    return JSON.parse(this.text);
  }
}

/** Whether the `JSON.stringify` that runs has met a `JsonText`. */
let found = false;

/** How a body is laid out: spaces for each level, and the spaces before the current one. */
interface Layout {
  readonly indent: number;
  readonly margin: string;
}

/**
 * A body as JSON text. It is what `JSON.stringify` writes, at its speed, as long as there is no `JsonText`; where one
 * stands, its text is written as it is. `indent` is the number of spaces for each level; none at all without it.
 */
export function writeJson(body: unknown, indent = 0): string {
  return write(body, { indent, margin: '' }) ?? 'null';
}

/** Values that may be in many bodies, with their JSON text once it was written twice; empty after the first time. */
const texts = new WeakMap<object, string | undefined>();

/**
 * What `make` makes of a key is made once for it, and its JSON text at most twice, where it is in a body that `writeJsonBytes` writes.
 * Neither may be changed afterwards.
 */
export function keepingText<Key extends object, Value extends object>(make: (key: Key) => Value): (key: Key) => Value {
  return madeOnce((key: Key) => {
    const value = make(key);
    texts.set(value, undefined);
    return value;
  });
}

/**
 * Undefined for what JSON has no word for, as `JSON.stringify` says it. Every value without a `JsonText` is written by
 * `JSON.stringify` at once; so it meets those around one as often as that stands deep, which is a few levels in a body.
 */
function write(value: unknown, layout: Layout): string | undefined {
  if (value instanceof JsonText) return value.text;
  if (layout.margin === '') {
    found = false;
    const text = layout.indent === 0 ? JSON.stringify(value) : JSON.stringify(value, undefined, layout.indent);
    if (!found) return text;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!Array.isArray(value)) return membersOf(value, layout);
  const inner = innerOf(layout);
  return enclose(
    '[]',
    value.map((one) => write(one, inner) ?? 'null'),
    layout,
  );
}

/** The JSON text of what `keepingText` has made; undefined for everything else. */
export function keptText(value: object): string | undefined {
  if (!texts.has(value)) return undefined;
  const known = texts.get(value);
  if (known !== undefined && known !== '') return known;
  const text = write(value, { indent: 0, margin: '' });
  // The tools of one request live as long as its answer, and nobody needs their text again.
  texts.set(value, known === undefined ? '' : text);
  return text;
}

function membersOf(value: object, layout: Layout): string {
  const inner = innerOf(layout);
  const colon = layout.indent === 0 ? ':' : ': ';
  const members: string[] = [];
  for (const [key, one] of Object.entries(value)) {
    const text = one === undefined ? undefined : write(one, inner);
    if (text !== undefined) members.push(JSON.stringify(key) + colon + text);
  }
  return enclose('{}', members, layout);
}

function innerOf(layout: Layout): Layout {
  return { ...layout, margin: layout.margin + ' '.repeat(layout.indent) };
}

function enclose(brackets: '[]' | '{}', members: readonly string[], { indent, margin }: Layout): string {
  const [open, close] = brackets;
  if (indent === 0 || members.length === 0) return `${open}${members.join(',')}${close}`;
  const inner = margin + ' '.repeat(indent);
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${margin}${close}`;
}
