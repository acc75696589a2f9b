import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { describeFreeInput } from '../free-input.ts';
import { refuseOtherForm } from '../other-tool-form.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  type ReadNotes,
  readList,
  unsupported,
} from '../read-values.ts';
import { customMark, functionMark } from './call-form.ts';

/**
 * The declared tools: `tools`, or `functions` of the older API. A malformed or repeated one is left out and reported;
 * the others stay. One in the form of another API is refused.
 */
export function readTools(body: JsonObject, notes: ReadNotes): readonly ToolDefinition[] {
  const tools: ToolDefinition[] = [];
  const names = new Set<string>();
  const take = (tool: ToolDefinition | string, path: Path, mark: Pick<ToolDefinition, 'extra'> = {}) => {
    if (typeof tool === 'string') notes.add({ code: 'tool-dropped', message: `${path} was left out: ${tool}.` });
    else if (names.has(tool.name)) {
      notes.add({ code: 'tool-dropped', message: `${path} was left out: its name is declared twice.` });
    } else {
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
  for (const field of Object.keys(value)) {
    if (field !== 'name' && field !== 'description' && field !== 'parameters')
      notes.ignore(`tools[].function.${field}`);
  }
  const isEmpty = !isObject(parameters) || Object.keys(parameters).length === 0;
  return {
    name: value.name,
    ...(typeof value.description === 'string' ? { description: value.description } : {}),
    inputSchema: isEmpty ? { type: 'object', properties: {} } : parameters,
  };
}

/** A tool that takes free text, or what is wrong with it. Its fields may stand beside its type, as in the Responses API. */
function readCustomTool(value: JsonObject): ToolDefinition | string {
  const declared = isObject(value.custom) ? value.custom : value;
  if (typeof declared.name !== 'string' || declared.name === '') return 'it has no name';
  const { description, inputSchema } = describeFreeInput(declared);
  return { name: declared.name, ...(description === undefined ? {} : { description }), inputSchema };
}

/** `tool_choice`, or `function_call` of the older API. A name has to be one of the declared tools. */
export function readToolChoice(body: JsonObject, tools: readonly ToolDefinition[]): ToolChoice {
  const field = isAbsent(body.tool_choice) ? 'function_call' : 'tool_choice';
  const value = body[field];
  if (isAbsent(value)) return 'auto';
  const choice = readChoice(value, field);
  if (typeof choice === 'object' && !tools.some((tool) => tool.name === choice.name)) {
    throw badRequest(field, `names the tool "${choice.name.slice(0, 64)}", which is not declared.`);
  }
  return choice;
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
    case 'allowed_tools':
      throw unsupported(path, 'the type "allowed_tools" is not supported.');
  }
  if (!isObject(value)) throw badRequest(path, `must be auto, none, required or a function, not ${kindOf(value)}.`);
  const [holder = value] = [value.function, value.custom].filter(isObject);
  const named = holder.name;
  if (typeof named !== 'string' || named === '') throw badRequest(`${path}.function.name`, 'is required.');
  return { name: named };
}
