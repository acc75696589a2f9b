import type { TableProblem } from '../table/table-shape.ts';
import { type PatternPiece, readPattern } from './pattern.ts';

/** Where a template's transform takes the name and the arguments of a call from. */
type CallShape =
  /** From two keys of the object that was read. */
  | { readonly from: 'keys'; readonly name: string; readonly arguments: string }
  /** The name from a group of the opener; what was read are the arguments. */
  | { readonly from: 'opener'; readonly name: string };

/** The fields of an object that was not checked yet. */
export type UncheckedFields = Readonly<Record<string, unknown>>;

/** The fields of an object that was not checked yet; none where it is something else. */
export function fieldsOf(value: unknown): UncheckedFields {
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
    notes.problem(['transform'], 'takes arguments out of a delimiter; they must be what is between open and close');
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

/** What is reported while a template is read: problems, with which it cannot be used, and notes of what it does not say. */
export class TemplateNotes {
  readonly problems: TableProblem[];
  readonly notes: string[];
  readonly #path: readonly string[];

  constructor(shared?: TemplateNotes, path: readonly string[] = []) {
    this.problems = shared?.problems ?? [];
    this.notes = shared?.notes ?? [];
    this.#path = path;
  }

  /** The same notes, for what is at `path`. */
  at(...path: readonly string[]): TemplateNotes {
    return new TemplateNotes(this, [...this.#path, ...path]);
  }

  problem(path: readonly string[], reason: string): void {
    this.problems.push({ path: [...this.#path, ...path], reason });
  }

  /** Where the prompt opens the thinking. Two fields may say so. */
  opened(): void {
    new TemplateNotes(this).note('the prompt opens the thinking; give the model rule "opened": "reasoning"');
  }

  note(sentence: string): void {
    const place = this.#path.join('.');
    const note = place === '' ? sentence : `${place}: ${sentence}`;
    if (!this.notes.includes(note)) this.notes.push(note);
  }
}

/** What opens or closes a field: one or more sequences of pieces. Empty: nothing does. */
export type Delimiter = readonly (readonly PatternPiece[])[];

/**
 * Reads `open` or `close` of a field, a literal or a list of them, or the pattern that is in its place. What cannot be
 * read is reported, and then there is none.
 */
export function readDelimiter(field: UncheckedFields, key: 'open' | 'close', notes: TemplateNotes): Delimiter {
  const literal = field[key];
  const pattern = field[`${key}_pattern`];
  if (literal !== undefined && pattern !== undefined) notes.problem([key], `is beside "${key}_pattern"; leave one out`);
  if (literal !== undefined)
    return literalsOf(literal, () => notes.problem([key], 'must be a text or a list of texts'));
  if (pattern === undefined) return [];
  if (typeof pattern !== 'string') {
    notes.problem([`${key}_pattern`], 'must be a text');
    return [];
  }
  const read = readPattern(pattern);
  if (typeof read !== 'string') return read.alternatives;
  notes.problem([`${key}_pattern`], `${read}; or write the dialect as a "table" (docs/zero-day.md)`);
  return [];
}

function literalsOf(value: unknown, complain: () => void): Delimiter {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
  if (texts.length < all.length || texts.length === 0) complain();
  return texts.map((text) => [{ kind: 'literal', text }]);
}

/** The text of each alternative that is nothing but text and white space. */
export function textsOf(delimiter: Delimiter): readonly string[] {
  const plain = delimiter.filter((pieces) => pieces.every(({ kind }) => kind !== 'group'));
  return plain.map((pieces) => joined(pieces)).filter((text) => text.trim() !== '');
}

/** The text of pieces; white space between literals becomes one newline. */
export function joined(pieces: readonly PatternPiece[]): string {
  const texts = pieces.map((piece, index) => {
    if (piece.kind === 'literal') return piece.text;
    const inside = piece.kind === 'space' && index > 0 && index < pieces.length - 1;
    return inside ? '\n' : '';
  });
  return texts.join('');
}

/** The literals of pieces, in their order. */
export function literalsIn(pieces: readonly PatternPiece[]): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === 'literal' ? [piece.text] : []));
}
