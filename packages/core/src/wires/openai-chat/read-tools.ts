import type { ChatRequest } from '../../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { MalformedTools, readOnce, refuseOtherForm, refuseWithoutTools, undeclaredTool } from '../declared-tools.ts';
import { describeFreeInput } from '../free-input.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  readList,
} from '../read-values.ts';
import { customMark, functionMark } from './call-form.ts';

/**
 * The declared tools: `tools`, or `functions` of the older API. A malformed or repeated one is left out and reported;
 * the others stay. One in the form of another API is refused.
 */
export function readTools(body: JsonObject, notes: ReadNotes): readonly ToolDefinition[] {
  if (!isAbsent(body.functions) || !Array.isArray(body.tools)) return readAll(body, notes);
  return readDeclared(body.tools, notes);
}

const readDeclared = readOnce((tools, notes) => readAll({ tools }, notes));

function readAll(body: JsonObject, notes: ReadNotes): readonly ToolDefinition[] {
  const tools: ToolDefinition[] = [];
  const names = new Set<string>();
  const malformed = new MalformedTools(notes, wantsFunctionCall(body) ? 'parameters' : 'function');
  const take = (tool: ToolDefinition | string, path: Path, mark: Pick<ToolDefinition, 'extra'> = {}) => {
    if (typeof tool === 'string') malformed.drop(path, tool);
    else if (names.has(tool.name)) malformed.drop(path, 'its name is declared twice');
    else {
      names.add(tool.name);
      tools.push({ ...tool, ...mark });
    }
  };
  if (!isAbsent(body.tools)) {
    readList(body.tools, 'tools').forEach((value, index) => {
      const path = `tools[${index}]`;
      refuseOtherForm(value, path, 'function');
      const isFunction = isObject(value) && (isAbsent(value.type) || value.type === 'function');
      if (isFunction) take(readTool(value.function, notes), path);
      else if (isObject(value) && value.type === 'custom') take(readCustomTool(value), path, { extra: customMark });
      else
        notes.add({
          code: 'tool-dropped',
          message: `${path} was left out: only functions and custom tools run at the client.`,
        });
    });
  }
  if (!isAbsent(body.functions)) {
    const mark = wantsFunctionCall(body) ? { extra: functionMark } : {};
    readList(body.functions, 'functions').forEach((value, index) => {
      refuseOtherForm(value, `functions[${index}]`, 'parameters');
      take(readTool(value, notes), `functions[${index}]`, mark);
    });
  }
  malformed.check(tools.length);
  return tools;
}

/** A client of the older API: it declares `functions` alone and reads one call at most. */
export function wantsFunctionCall(body: JsonObject): boolean {
  return !isAbsent(body.functions) && isAbsent(body.tools);
}

/** One tool, or what is wrong with it. */
function readTool(value: unknown, notes: ReadNotes): ToolDefinition | string {
  if (!isObject(value)) return 'it has no function';
  if (typeof value.name !== 'string' || value.name === '') return 'it has no name';
  if (!isAbsent(value.description) && typeof value.description !== 'string') return 'its description is not a string';
  const { parameters } = value;
  if (!isAbsent(parameters) && !isObject(parameters) && parameters !== true) return 'its parameters are not a schema';
  notes.ignoreOthers(value, functionFields, 'tools[].function.');
  const isEmpty = !isObject(parameters) || Object.keys(parameters).length === 0;
  return {
    name: value.name,
    ...(typeof value.description === 'string' ? { description: value.description } : {}),
    inputSchema: isEmpty ? { type: 'object', properties: {} } : parameters,
    ...(value.strict === true ? { strict: true } : {}),
  };
}

const functionFields: readonly string[] = ['name', 'description', 'parameters', 'strict'];

/** A tool that takes free text, or what is wrong with it. Its fields may be beside its type, as in the Responses API. */
function readCustomTool(value: JsonObject): ToolDefinition | string {
  const declared = isObject(value.custom) ? value.custom : value;
  if (typeof declared.name !== 'string' || declared.name === '') return 'it has no name';
  const { description, inputSchema } = describeFreeInput(declared);
  return { name: declared.name, ...(description === undefined ? {} : { description }), inputSchema };
}

/** What the model may call, and whether it has to. */
export type ReadChoice = Pick<ChatRequest, 'tools' | 'toolsWithheld' | 'toolChoice'>;

/**
 * `tool_choice`, or `function_call` of the older API. With `allowed_tools` the model is shown no other tools. A name has to be one of
 * the declared tools.
 */
export function readToolChoice(body: JsonObject, tools: readonly ToolDefinition[]): ReadChoice {
  const field = isAbsent(body.tool_choice) ? 'function_call' : 'tool_choice';
  const value = body[field];
  if (isAbsent(value)) return { tools, toolChoice: 'auto' };
  if (isObject(value) && value.type === 'allowed_tools') return readAllowed(value, { path: field, tools });
  const toolChoice = readChoice(value, field);
  if (toolChoice === 'required') refuseWithoutTools(field, body.tools ?? body.functions);
  if (typeof toolChoice === 'object') checkName(toolChoice.name, { path: field, tools });
  return { tools, toolChoice };
}

interface Declared {
  readonly path: Path;
  readonly tools: readonly ToolDefinition[];
}

function checkName(name: string, { path, tools }: Declared): void {
  if (!tools.some((tool) => tool.name === name)) throw undeclaredTool(path, name, tools);
}

/** The mode and the tools are in a field of their own, or beside the type, as in the Responses API. */
function readAllowed(value: JsonObject, { path, tools }: Declared): ReadChoice {
  const nested = isObject(value.allowed_tools);
  const about = isObject(value.allowed_tools) ? value.allowed_tools : value;
  const place = nested ? `${path}.allowed_tools` : path;
  const mode = isAbsent(about.mode) ? 'auto' : about.mode;
  if (mode !== 'auto' && mode !== 'required') throw badRequest(`${place}.mode`, 'must be auto or required.');
  const allowed = new Set(
    readList(about.tools, `${place}.tools`).map((entry, at) => {
      const name = nameIn(entry, `${place}.tools[${at}]`);
      checkName(name, { path: `${place}.tools[${at}]`, tools });
      return name;
    }),
  );
  const shown = tools.filter(({ name }) => allowed.has(name));
  return { tools: shown, ...(shown.length < tools.length ? { toolsWithheld: true } : {}), toolChoice: mode };
}

function readChoice(value: unknown, path: Path): ToolChoice {
  const isNamed = isObject(value) && (isAbsent(value.type) || value.type === 'function' || value.type === 'custom');
  const word = isObject(value) && !isNamed ? value.type : value;
  switch (word) {
    case 'auto':
    case 'none':
    case 'required':
      return word;
    case 'any':
      return 'required';
  }
  if (!isObject(value)) throw badRequest(path, `must be auto, none, required or a function, not ${kindOf(value)}.`);
  return { name: nameIn(value, path) };
}

/** The name of a tool, which may be beside its type, too. */
function nameIn(value: unknown, path: Path): string {
  const fields = isObject(value) ? value : {};
  const [holder = fields] = [fields.function, fields.custom].filter(isObject);
  const { name } = holder;
  if (typeof name !== 'string' || name === '') throw badRequest(`${path}.function.name`, 'is required.');
  return name;
}
