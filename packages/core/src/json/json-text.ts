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
  const inner = { ...layout, margin: layout.margin + ' '.repeat(layout.indent) };
  if (Array.isArray(value))
    return enclose(
      '[]',
      value.map((one) => write(one, inner) ?? 'null'),
      layout,
    );
  const colon = layout.indent === 0 ? ':' : ': ';
  const members = Object.entries(value).flatMap(([key, one]) => {
    const text = write(one, inner);
    return text === undefined ? [] : [JSON.stringify(key) + colon + text];
  });
  return enclose('{}', members, layout);
}

function enclose(brackets: '[]' | '{}', members: readonly string[], { indent, margin }: Layout): string {
  const [open, close] = brackets;
  if (indent === 0 || members.length === 0) return `${open}${members.join(',')}${close}`;
  const inner = margin + ' '.repeat(indent);
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${margin}${close}`;
}
