import { madeOnce } from '../../chat/made-once.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { quoteName } from '../../chat/warning.ts';
import { readOnce, refuseOtherForm, refuseWithoutTools, ToolList, undeclaredTool } from '../declared-tools.ts';
import type { JsonObject, ReadNotes } from '../read-values.ts';
import { badRequest, isAbsent, isObject, readList, unsupported } from '../read-values.ts';
import type { ReadRules } from './read-rules.ts';
import { type FlatTool, flattenTools } from './tool-forms.ts';

/**
 * The declared tools, flat. A malformed or repeated one, and one that only the vendor's servers can run, is left out and
 * reported. The forms of other APIs are refused with a hint; that of Chat Completions is read when lenient.
 */
export function readTools(body: JsonObject, notes: ReadRules): readonly FlatTool[] {
  if (isAbsent(body.tools)) return [];
  const declared = readList(body.tools, 'tools');
  return notes.lenient ? readLeniently(declared, notes) : readStrictly(declared, notes);
}

const readStrictly = readOnce(readFlat);
const readLeniently = readOnce((list, notes) => readFlat(list.map(unnest), notes));

function readFlat(list: readonly unknown[], notes: ReadNotes): readonly FlatTool[] {
  list.forEach((entry, at) => {
    refuseOtherForm(entry, `tools[${at}]`, 'parameters');
  });
  const tools: FlatTool[] = [];
  const malformed = new ToolList(notes, 'parameters');
  for (const read of flattenTools(list)) {
    if (read.kind === 'tool') tools.push(read.tool);
    else if (read.kind === 'nested') throw badRequest(read.path, `${read.problem}.`);
    else if (read.kind === 'broken') malformed.drop(read.path, read.problem);
    else notes.add({ code: 'tool-dropped', message: `${read.path} was left out: ${read.problem}.` });
  }
  malformed.whole(tools.length);
  return tools;
}

/** A nested declaration as a flat one. */
function unnest(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry.function)) return entry;
  return { type: 'function', ...entry.function };
}

/** What the model may call, and whether it has to. */
export interface ReadChoice {
  readonly tools: readonly ToolDefinition[];
  readonly toolsWithheld?: boolean;
  readonly toolChoice: ToolChoice;
}

/**
 * `tool_choice` in all its forms. With `allowed_tools` the model is shown no other tools. A name has to be one of the
 * declared tools.
 */
export function readToolChoice(body: JsonObject, tools: readonly FlatTool[]): ReadChoice {
  const value = body.tool_choice;
  const all = definitionsOf(tools);
  if (isAbsent(value)) return { tools: all, toolChoice: 'auto' };
  if (value === 'required') refuseWithoutTools('tool_choice', body.tools);
  if (!isObject(value)) return { tools: all, toolChoice: readMode(value, 'tool_choice') };
  switch (value.type) {
    case 'function':
    case 'custom':
      return { tools: all, toolChoice: { name: findTool(value, 'tool_choice', tools).name } };
    case 'allowed_tools': {
      const listed = readList(value.tools, 'tool_choice.tools');
      const allowed = new Set(listed.map((entry, at) => findTool(entry, `tool_choice.tools[${at}]`, tools).name));
      const mode = isAbsent(value.mode) ? 'auto' : readMode(value.mode, 'tool_choice.mode');
      const shown = all.filter(({ name }) => allowed.has(name));
      return { tools: shown, ...(shown.length < all.length ? { toolsWithheld: true } : {}), toolChoice: mode };
    }
    default:
      throw unsupported(
        'tool_choice.type',
        `${quoteName(value.type)} is not supported; use function or allowed_tools.`,
      );
  }
}

/** The same again for a list that many requests share. */
const definitionsOf = madeOnce((tools: readonly FlatTool[]) => tools.map(({ definition }) => definition));

function readMode(value: unknown, path: string): 'auto' | 'none' | 'required' {
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  throw badRequest(path, `${quoteName(value)} is not known; use auto, none or required.`);
}

function findTool(value: unknown, path: string, tools: readonly FlatTool[]): ToolDefinition {
  // Some clients nest the name as Chat Completions does.
  const entry = isObject(value) && isObject(value.function) ? value.function : value;
  const name = isObject(entry) ? entry.name : undefined;
  const namespace = isObject(entry) ? entry.namespace : undefined;
  if (typeof name !== 'string' || name === '') throw badRequest(`${path}.name`, 'is required.');
  const found = tools.find(
    ({ definition, form }) =>
      (form.name === name && form.namespace === (namespace ?? undefined)) || definition.name === name,
  );
  if (found === undefined) throw undeclaredTool(`${path}.name`, name, definitionsOf(tools));
  return found.definition;
}
