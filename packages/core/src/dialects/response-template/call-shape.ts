import type { TemplateNotes } from './template-notes.ts';

/** Where a template's transform takes the name and the arguments of a call from. */
export type CallShape =
  /** From two keys of the object that was read. */
  | { readonly from: 'keys'; readonly name: string; readonly arguments: string }
  /** The name from a group of the opener; what was read are the arguments. */
  | { readonly from: 'opener'; readonly name: string };

/** The fields of an object that was not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object that was not checked yet; none where it is something else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Reads a `transform`. `groups`: the names of the groups in the field's opener. */
export function readCallShape(
  transform: unknown,
  groups: readonly string[],
  notes: TemplateNotes,
): CallShape | undefined {
  const outer = fieldsOf(transform);
  const call = 'function' in outer ? outer.function : (transform ?? '{content}');
  if (call === '{content}') return { from: 'keys', name: 'name', arguments: 'arguments' };
  const { name, arguments: given } = fieldsOf(call);
  const [nameOf, argumentsOf] = [placeholder(name), placeholder(given)];
  if (nameOf === undefined || argumentsOf === undefined) {
    notes.problem(
      ['transform'],
      'does not say where name and arguments come from; write {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}} or "{content}"',
    );
    return undefined;
  }
  if (argumentsOf === 'content' && groups.includes(nameOf)) return { from: 'opener', name: nameOf };
  if (groups.includes(nameOf) || groups.includes(argumentsOf)) {
    notes.problem(
      ['transform'],
      'takes arguments out of a delimiter; they have to be what stands between open and close',
    );
    return undefined;
  }
  return { from: 'keys', name: keyIn(nameOf), arguments: keyIn(argumentsOf) };
}

/** `name` of `{name}`. */
function placeholder(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('{') || !value.endsWith('}')) return undefined;
  return value.slice(1, -1);
}

/** `name` of `content.name`, and of an element's own `name`. */
function keyIn(path: string): string {
  return path.startsWith('content.') ? path.slice('content.'.length) : path;
}
