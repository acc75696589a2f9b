import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { MalformedTools, readOnce, refuseOtherForm } from '../declared-tools.ts';
import { isAbsent, isObject, type ReadNotes, readList } from '../read-values.ts';

/** The declared tools. A malformed or repeated one is left out and reported, one in another API's form refused. */
export function readTools(value: unknown, notes: ReadNotes): readonly ToolDefinition[] {
  return isAbsent(value) ? [] : readDeclared(readList(value, 'tools'), notes);
}

const readDeclared = readOnce((list, notes): readonly ToolDefinition[] => {
  const tools = new Map<string, ToolDefinition>();
  const malformed = new MalformedTools(notes, 'function');
  list.forEach((entry, index) => {
    refuseOtherForm(entry, `tools[${index}]`, 'function');
    const tool = readTool(entry, notes);
    if (typeof tool === 'string') malformed.drop(`tools[${index}]`, tool);
    else if (tools.has(tool.name)) malformed.drop(`tools[${index}]`, 'its name is declared twice');
    else tools.set(tool.name, tool);
  });
  malformed.check(tools.size);
  return [...tools.values()];
});

/** One tool, or what is wrong with it. */
function readTool(entry: unknown, notes: ReadNotes): ToolDefinition | string {
  if (!isObject(entry) || !(isAbsent(entry.type) || entry.type === 'function')) return 'it is not of type "function"';
  const about = entry.function;
  if (!isObject(about)) return 'it has no function';
  const { name, description, parameters, strict } = about;
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (!isAbsent(description) && typeof description !== 'string') return 'its description is not a string';
  if (!isAbsent(parameters) && !isObject(parameters)) return 'its parameters are not a schema';
  notes.ignoreOthers(about, ['name', 'description', 'parameters', 'strict'], 'tools[].function.');
  const isEmpty = isAbsent(parameters) || Object.keys(parameters).length === 0;
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: isEmpty ? { type: 'object', properties: {} } : parameters,
    ...(strict === true ? { strict } : {}),
  };
}

/**
 * `tool_choice`, which Ollama itself does not know and clients send all the same. One that cannot be read or names an
 * undeclared tool is ignored and reported, as a server that does not know the field would.
 */
export function readToolChoice(
  value: unknown,
  { tools, notes }: { readonly tools: readonly ToolDefinition[]; readonly notes: ReadNotes },
): ToolChoice {
  const name = nameIn(value);
  if (name !== undefined && tools.some((tool) => tool.name === name)) return { name };
  switch (isObject(value) ? value.type : value) {
    case undefined:
    case null:
    case 'auto':
      return 'auto';
    case 'none':
      return 'none';
    case 'required':
    case 'any':
      return 'required';
    default:
      notes.ignore('tool_choice');
      return 'auto';
  }
}

function nameIn(choice: unknown): string | undefined {
  if (!isObject(choice)) return undefined;
  const name = isObject(choice.function) ? choice.function.name : (choice.name ?? choice.toolName);
  return typeof name === 'string' ? name : undefined;
}
