import type { ToolDefinition } from '../../chat/tool.ts';
import { quoteName } from '../../chat/warning.ts';
import {
  type ReadChoice,
  readOnce,
  readToolFields,
  refuseOtherForm,
  refuseWithoutTools,
  showAllowed,
  ToolList,
  undeclaredTool,
} from '../declared-tools.ts';
import { readFreeTool } from '../free-input.ts';
import type { JsonObject, Path, ReadNotes } from '../read-values.ts';
import { badRequest, isAbsent, isObject, readList, unsupported } from '../read-values.ts';
import type { ReadRules } from './read-rules.ts';
import { customMark, formOf, groupedTool } from './tool-forms.ts';
import { ownToolTypes, wireId } from './types.ts';

/**
 * The declared tools, flat. A malformed or repeated one, and one that only the vendor's servers can run, is left out and
 * reported. The forms of other APIs are refused with a hint; that of Chat Completions is read when lenient.
 */
export function readTools(body: JsonObject, notes: ReadRules): readonly ToolDefinition[] {
  if (isAbsent(body.tools)) return [];
  const declared = readList(body.tools, 'tools');
  return notes.lenient ? readLeniently(declared, notes) : readStrictly(declared, notes);
}

const readStrictly = readOnce(readFlat);
const readLeniently = readOnce((list, notes) => readFlat(list.map(unnest), notes));

function readFlat(list: readonly unknown[], notes: ReadNotes): readonly ToolDefinition[] {
  const declared = new ToolList(notes, 'parameters');
  list.forEach((entry, index) => {
    readEntry(entry, `tools[${index}]`, { declared, notes });
  });
  return declared.whole();
}

/** A nested declaration as a flat one. */
function unnest(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry.function)) return entry;
  return { type: 'function', ...entry.function };
}

interface Declaring {
  readonly declared: ToolList;
  readonly notes: ReadNotes;
  /** The group that the tool is in. */
  readonly namespace?: string;
}

function readEntry(entry: unknown, path: Path, declaring: Declaring): void {
  const { declared, notes, namespace } = declaring;
  const add = (tool: ToolDefinition | string) =>
    declared.add(path, typeof tool === 'string' || namespace === undefined ? tool : groupedTool(tool, namespace));
  refuseOtherForm(entry, path, 'parameters');
  if (!isObject(entry)) {
    add('it is not an object');
    return;
  }
  switch (entry.type) {
    case 'function':
      add(readFunction(entry));
      return;
    case 'custom':
      add(readFreeTool(entry, customMark));
      return;
    case 'namespace':
      readGroup(entry, path, declaring);
      return;
    case undefined:
      add('it has no type');
      return;
    default: {
      const isOwn = ownToolTypes.includes(entry.type);
      const problem = isOwn
        ? `only upstreams of ${wireId} know it`
        : 'only tools that the client itself runs are supported';
      notes.add({ code: 'tool-dropped', message: `${path} was left out: ${problem}.` });
    }
  }
}

function readFunction(entry: JsonObject): ToolDefinition | string {
  const tool = readToolFields(entry, entry.parameters, 'parameters are');
  // Only this API tells apart that it is not strict, and that nothing was said.
  return typeof tool === 'string' || entry.strict !== false
    ? tool
    : { ...tool, extra: { [wireId]: { strict: false } } };
}

function readGroup(group: JsonObject, path: Path, declaring: Declaring): void {
  const { name: namespace, tools } = group;
  if (declaring.namespace !== undefined) declaring.declared.drop(path, 'a namespace cannot hold another one');
  else if (typeof namespace !== 'string' || namespace === '' || !Array.isArray(tools)) {
    declaring.declared.drop(path, 'a namespace needs a name and a list of tools');
  } else {
    tools.forEach((entry: unknown, index) => {
      readEntry(entry, `${path}.tools[${index}]`, { ...declaring, namespace });
    });
  }
}

/**
 * `tool_choice` in all its forms. With `allowed_tools` the model is shown no other tools. A name has to be one of the
 * declared tools.
 */
export function readToolChoice(body: JsonObject, tools: readonly ToolDefinition[]): ReadChoice {
  const value = body.tool_choice;
  if (isAbsent(value)) return { tools, toolChoice: 'auto' };
  if (value === 'required') refuseWithoutTools('tool_choice', body.tools);
  if (!isObject(value)) return { tools, toolChoice: readMode(value, 'tool_choice') };
  switch (value.type) {
    case 'function':
    case 'custom':
      return { tools, toolChoice: { name: findTool(value, 'tool_choice', tools).name } };
    case 'allowed_tools': {
      const listed = readList(value.tools, 'tool_choice.tools');
      const allowed = new Set(listed.map((entry, at) => findTool(entry, `tool_choice.tools[${at}]`, tools).name));
      const mode = isAbsent(value.mode) ? 'auto' : readMode(value.mode, 'tool_choice.mode');
      return showAllowed(tools, allowed, mode);
    }
    default:
      throw unsupported(
        'tool_choice.type',
        `${quoteName(value.type)} is not supported; use function or allowed_tools.`,
      );
  }
}

function readMode(value: unknown, path: string): 'auto' | 'none' | 'required' {
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  throw badRequest(path, `${quoteName(value)} is not known; use auto, none or required.`);
}

function findTool(value: unknown, path: string, tools: readonly ToolDefinition[]): ToolDefinition {
  // Some clients nest the name as Chat Completions does.
  const entry = isObject(value) && isObject(value.function) ? value.function : value;
  const name = isObject(entry) ? entry.name : undefined;
  const namespace = isObject(entry) ? entry.namespace : undefined;
  if (typeof name !== 'string' || name === '') throw badRequest(`${path}.name`, 'is required.');
  const found = tools.find((tool) => {
    const form = formOf(tool);
    return (form.name === name && form.namespace === (namespace ?? undefined)) || tool.name === name;
  });
  if (found === undefined) throw undeclaredTool(`${path}.name`, name, tools);
  return found;
}
