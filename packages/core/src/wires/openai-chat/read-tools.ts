import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import {
  type ReadChoice,
  readFunction,
  readOnce,
  refuseOtherForm,
  refuseWithoutTools,
  showAllowed,
  ToolList,
  undeclaredTool,
} from '../declared-tools.ts';
import { readFreeTool } from '../free-input.ts';
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
  const declared = new ToolList(notes, wantsFunctionCall(body) ? 'parameters' : 'function');
  if (!isAbsent(body.tools)) {
    readList(body.tools, 'tools').forEach((value, index) => {
      const path = `tools[${index}]`;
      refuseOtherForm(value, path, 'function');
      const isFunction = isObject(value) && (isAbsent(value.type) || value.type === 'function');
      if (isFunction) declared.add(path, readFunction(value.function, notes));
      // Its fields may be beside its type, as in the Responses API.
      else if (isObject(value) && value.type === 'custom')
        declared.add(path, readFreeTool(isObject(value.custom) ? value.custom : value, customMark));
      else {
        const problem = 'only functions and custom tools run at the client';
        notes.add({ code: 'tool-dropped', message: `${path} was left out: ${problem}.` });
      }
    });
  }
  if (!isAbsent(body.functions)) {
    const mark = wantsFunctionCall(body) ? { extra: functionMark } : {};
    readList(body.functions, 'functions').forEach((value, index) => {
      refuseOtherForm(value, `functions[${index}]`, 'parameters');
      const tool = readFunction(value, notes);
      declared.add(`functions[${index}]`, typeof tool === 'string' ? tool : { ...tool, ...mark });
    });
  }
  return declared.whole();
}

/** A client of the older API: it declares `functions` alone and reads one call at most. */
export function wantsFunctionCall(body: JsonObject): boolean {
  return !isAbsent(body.functions) && isAbsent(body.tools);
}

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
  return showAllowed(tools, allowed, mode);
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
