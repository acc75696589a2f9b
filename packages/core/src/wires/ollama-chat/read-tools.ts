import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { readFunction, readOnce, refuseOtherForm, ToolList } from '../declared-tools.ts';
import { isAbsent, isObject, type ReadNotes, readList } from '../read-values.ts';

/** The declared tools. A malformed or repeated one is left out and reported, one in another API's form refused. */
export function readTools(value: unknown, notes: ReadNotes): readonly ToolDefinition[] {
  return isAbsent(value) ? [] : readDeclared(readList(value, 'tools'), notes);
}

const readDeclared = readOnce((list, notes): readonly ToolDefinition[] => {
  const declared = new ToolList(notes, 'function');
  list.forEach((entry, index) => {
    refuseOtherForm(entry, `tools[${index}]`, 'function');
    declared.add(`tools[${index}]`, readTool(entry, notes));
  });
  return declared.whole();
});

/** One tool, or what is wrong with it. */
function readTool(entry: unknown, notes: ReadNotes): ToolDefinition | string {
  if (!isObject(entry) || !(isAbsent(entry.type) || entry.type === 'function')) return 'it is not of type "function"';
  return readFunction(entry.function, notes);
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
