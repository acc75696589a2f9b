import { madeOnce } from '../chat/made-once.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { quoteName } from '../chat/warning.ts';
import type { DragomanError } from '../errors.ts';
import { badRequest, isAbsent, isObject, type JsonObject, type Path, ReadNotes } from './read-values.ts';

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

/** What the model may call, and whether it has to. */
export type ReadChoice = Pick<ChatRequest, 'tools' | 'toolsWithheld' | 'toolChoice'>;

/** `allowed_tools`: the model is shown no other tools. */
export function showAllowed(
  tools: readonly ToolDefinition[],
  allowed: ReadonlySet<string>,
  toolChoice: ToolChoice,
): ReadChoice {
  const shown = tools.filter(({ name }) => allowed.has(name));
  return { tools: shown, ...(shown.length < tools.length ? { toolsWithheld: true } : {}), toolChoice };
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
 * The declared tools of a request. One that cannot be read, or repeats a name, is left out and reported, and the others stay.
 * Where no other is left, the request is refused: the model would answer in words, and nobody would see why.
 */
export class ToolList {
  readonly #notes: ReadNotes;
  readonly #form: ToolForm;
  readonly #tools: ToolDefinition[] = [];
  readonly #names = new Set<string>();
  #dropped: { readonly path: Path; readonly problem: string } | undefined;

  constructor(notes: ReadNotes, form: ToolForm) {
    this.#notes = notes;
    this.#form = form;
  }

  /** A text says what is wrong with the tool. */
  add(path: Path, tool: ToolDefinition | string): void {
    if (typeof tool === 'string') this.drop(path, tool);
    else if (this.#names.has(tool.name)) this.drop(path, 'its name is declared twice');
    else {
      this.#names.add(tool.name);
      this.#tools.push(tool);
    }
  }

  drop(path: Path, problem: string): void {
    this.#notes.add({ code: 'tool-dropped', message: `${path} was left out: ${problem}.` });
    this.#dropped ??= { path, problem };
  }

  /** `others`: how many were read that are not in the list. Throws DragomanError `bad-request` where none could be read. */
  whole(others = 0): readonly ToolDefinition[] {
    if (this.#dropped === undefined || this.#tools.length + others > 0) return this.#tools;
    throw badRequest(this.#dropped.path, `${this.#dropped.problem}; write ${written[this.#form]}.`);
  }
}

/**
 * Reads a list of tools once, where it was parsed once for the bodies of many requests: the same tools again, and what is to be
 * noted of them. `read` goes by nothing else than the list.
 */
export function readOnce<Read>(
  read: (list: readonly unknown[], notes: ReadNotes) => Read,
): (list: readonly unknown[], notes: ReadNotes) => Read {
  const known = madeOnce((list: readonly unknown[]) => {
    const notes = new ReadNotes();
    return { value: read(list, notes), notes };
  });
  return (list, notes) => {
    const found = known(list);
    notes.take(found.notes);
    return found.value;
  };
}

/** A function as Chat Completions and Ollama declare it, or what is wrong with it. */
export function readFunction(value: unknown, notes: ReadNotes): ToolDefinition | string {
  if (!isObject(value)) return 'it has no function';
  const tool = readToolFields(value, value.parameters, 'parameters are');
  if (typeof tool === 'object') {
    notes.ignoreOthers(value, ['name', 'description', 'parameters', 'strict'], 'tools[].function.');
  }
  return tool;
}

/** A tool out of its fields, or what is wrong with it. `called`: what the API calls the schema of its arguments. */
export function readToolFields(
  { name, description, strict }: JsonObject,
  schema: unknown,
  called: 'input_schema is' | 'parameters are',
): ToolDefinition | string {
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (!isAbsent(description) && typeof description !== 'string') return 'its description is not a string';
  if (!isAbsent(schema) && !isObject(schema) && schema !== true) return `its ${called} not a schema`;
  const isEmpty = !isObject(schema) || Object.keys(schema).length === 0;
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: isEmpty ? { type: 'object', properties: {} } : schema,
    ...(strict === true ? { strict } : {}),
  };
}
