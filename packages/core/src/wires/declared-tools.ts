import { quoteName } from '../chat/warning.ts';
import type { DragomanError } from '../errors.ts';
import { badRequest, isObject, type Path, ReadNotes } from './read-values.ts';

/** What a choice that names no declared tool is refused with: the first of those that it could name. */
export function undeclaredTool(path: Path, name: string, tools: readonly { readonly name: string }[]): DragomanError {
  const declared = tools.slice(0, 8).map((tool) => quoteName(tool.name));
  const problem = `names the tool ${quoteName(name)}, which is not declared. Declared: ${declared.join(', ') || 'none'}.`;
  return badRequest(path, problem);
}

/** Refuses to require a call of a request that brings no tools, as the vendors' servers do. */
export function refuseWithoutTools(path: Path, tools: unknown): void {
  if (Array.isArray(tools) && tools.length > 0) return;
  throw badRequest(path, 'requires a call, but the request has no tools.');
}

/** How a tool is declared: inside of `function`, or flat with its schema under this key. */
type ToolForm = 'function' | 'parameters' | 'input_schema';

const written: Readonly<Record<ToolForm, string>> = {
  function: '{"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}',
  parameters: '{"type": "function", "name": …, "description": …, "parameters": {…}}',
  input_schema: '{"name": …, "description": …, "input_schema": {…}}',
};

const apis: Readonly<Record<ToolForm, string>> = {
  function: 'Chat Completions',
  parameters: 'the Responses API',
  input_schema: 'the Messages API',
};

/**
 * Refuses a tool that is in the form of another API: left out, it would be missing without a word that the caller
 * sees, and half read, it would have no parameters. Throws DragomanError `bad-request` with the form that `path` needs.
 */
export function refuseOtherForm(value: unknown, path: Path, form: ToolForm): void {
  const found = formOf(value);
  if (found === undefined || found === form) return;
  throw badRequest(path, `has the form of ${apis[found]}; write ${written[form]}.`);
}

/** The form in which a tool has a name and shows where its schema stands; undefined for a malformed one, or one of either flat form. */
function formOf(value: unknown): ToolForm | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value.function)) return isNamed(value.function) ? 'function' : undefined;
  if (!isNamed(value)) return undefined;
  if ('input_schema' in value) return 'input_schema';
  return 'parameters' in value ? 'parameters' : undefined;
}

function isNamed(value: { readonly name?: unknown }): boolean {
  return typeof value.name === 'string' && value.name !== '';
}

/**
 * Declared tools that cannot be read. Each is left out and reported, and the others stay. Where no other is left, the request is
 * refused: the model would answer in words, and nobody would see why.
 */
export class MalformedTools {
  readonly #notes: ReadNotes;
  readonly #form: ToolForm;
  #first: { readonly path: Path; readonly problem: string } | undefined;

  constructor(notes: ReadNotes, form: ToolForm) {
    this.#notes = notes;
    this.#form = form;
  }

  drop(path: Path, problem: string): void {
    this.#notes.add({ code: 'tool-dropped', message: `${path} was left out: ${problem}.` });
    this.#first ??= { path, problem };
  }

  /** Throws DragomanError `bad-request` for the first one, where none could be read. */
  check(read: number): void {
    if (read > 0 || this.#first === undefined) return;
    throw badRequest(this.#first.path, `${this.#first.problem}; write ${written[this.#form]}.`);
  }
}

/**
 * Reads a list of tools once, where it was parsed once for the bodies of many requests: the same tools again, and what is to be
 * noted of them. `read` goes by nothing else than the list.
 */
export function readOnce<Read>(
  read: (list: readonly unknown[], notes: ReadNotes) => Read,
): (list: readonly unknown[], notes: ReadNotes) => Read {
  const known = new WeakMap<readonly unknown[], { readonly value: Read; readonly notes: ReadNotes }>();
  const readNew = (list: readonly unknown[]) => {
    const notes = new ReadNotes();
    return { value: read(list, notes), notes };
  };
  return (list, notes) => {
    const found = known.get(list) ?? readNew(list);
    known.set(list, found);
    notes.take(found.notes);
    return found.value;
  };
}
