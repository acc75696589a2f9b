import type { JsonSchema, ToolDefinition } from '../../chat/tool.ts';
import { describeFreeInput } from '../free-input.ts';
import { isAbsent, isObject, type JsonObject } from '../read-values.ts';
import { ownToolTypes, wireId } from './types.ts';

/** How the client declared a tool, which a call of it has to follow. */
export interface ToolForm {
  /** `custom`: the input is free text. Models get it as a tool with one string parameter, `input`. */
  readonly kind: 'function' | 'custom';
  readonly name: string;
  /** The group that the tool is in. */
  readonly namespace?: string;
}

/** A tool as models see it, with how the client knows it. */
export interface FlatTool {
  readonly definition: ToolDefinition;
  readonly form: ToolForm;
}

/** A tool, or a mistake in it, or one that only the vendor's own servers could run. */
export type ReadTool =
  | { readonly kind: 'tool'; readonly tool: FlatTool }
  | { readonly kind: 'nested' | 'broken' | 'hosted'; readonly path: string; readonly problem: string };

/**
 * A declared list as flat tools. Tools of a group get the group's name in front, `group__tool`, so that equal names in
 * two groups stay apart; `ToolForms` finds the way back.
 */
export function flattenTools(list: readonly unknown[]): readonly ReadTool[] {
  const taken = new Set<string>();
  return list.flatMap((entry, index) => flattenEntry(entry, { path: `tools[${index}]`, taken }));
}

interface Place {
  readonly path: string;
  readonly namespace?: string;
  readonly taken: Set<string>;
}

function flattenEntry(entry: unknown, place: Place): ReadTool[] {
  const { path } = place;
  if (!isObject(entry)) return [{ kind: 'broken', path, problem: 'it is not an object' }];
  switch (entry.type) {
    case 'function':
      return [isObject(entry.function) ? readNested(entry, place) : readFunction(entry, place)];
    case 'custom':
      return [readCustom(entry, place)];
    case 'namespace':
      return flattenGroup(entry, place);
    case undefined:
      if (isObject(entry.function)) return [readNested(entry, place)];
      return [{ kind: 'broken', path, problem: 'it has no type' }];
    default: {
      const isOwn = ownToolTypes.includes(entry.type);
      const problem = isOwn
        ? `only upstreams of ${wireId} know it`
        : 'only tools that the client itself runs are supported';
      return [{ kind: 'hosted', path, problem }];
    }
  }
}

/** The form of Chat Completions. */
function readNested(entry: JsonObject, place: Place): ReadTool {
  const problem = 'the fields of a function are beside its type here, not inside "function" as in Chat Completions';
  if (isObject(entry.function) && readFunction(entry.function, { ...place, taken: new Set() }).kind === 'broken') {
    return readFunction(entry.function, place);
  }
  return { kind: 'nested', path: place.path, problem };
}

function flattenGroup(group: JsonObject, place: Place): ReadTool[] {
  const { path } = place;
  if (typeof group.name !== 'string' || group.name === '' || !Array.isArray(group.tools)) {
    return [{ kind: 'broken', path, problem: 'a namespace needs a name and a list of tools' }];
  }
  const namespace = group.name;
  return group.tools.flatMap((entry: unknown, index) => {
    const isGroup = isObject(entry) && entry.type === 'namespace';
    const at = `${path}.tools[${index}]`;
    if (isGroup) return [{ kind: 'broken' as const, path: at, problem: 'a namespace cannot hold another one' }];
    return flattenEntry(entry, { ...place, path: at, namespace });
  });
}

/** A function whose fields are in `entry`. */
function readFunction(entry: JsonObject, place: Place): ReadTool {
  const broken = (problem: string): ReadTool => ({ kind: 'broken', path: place.path, problem });
  const { parameters, description } = entry;
  if (!isAbsent(description) && typeof description !== 'string') return broken('its description is not a string');
  if (!isAbsent(parameters) && !isObject(parameters) && parameters !== true)
    return broken('its parameters are not a schema');
  const isEmpty = !isObject(parameters) || Object.keys(parameters).length === 0;
  const strict = typeof entry.strict === 'boolean' ? { strict: entry.strict } : {};
  return named(entry, place, {
    kind: 'function',
    ...strict,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: isEmpty ? { type: 'object', properties: {} } : parameters,
  });
}

function readCustom(entry: JsonObject, place: Place): ReadTool {
  return named(entry, place, { kind: 'custom', ...describeFreeInput(entry) });
}

interface Described {
  readonly kind: ToolForm['kind'];
  readonly strict?: boolean;
  readonly description: string | undefined;
  readonly inputSchema: JsonSchema;
}

function named(entry: JsonObject, place: Place, about: Described): ReadTool {
  const { path, namespace, taken } = place;
  if (typeof entry.name !== 'string' || entry.name === '') return { kind: 'broken', path, problem: 'it has no name' };
  const name = namespace === undefined ? entry.name : joinNames(namespace, entry.name);
  if (taken.has(name)) return { kind: 'broken', path, problem: 'its name is declared twice' };
  taken.add(name);
  const { kind, description, inputSchema, strict } = about;
  return {
    kind: 'tool',
    tool: {
      definition: {
        name,
        ...(description === undefined ? {} : { description }),
        inputSchema,
        ...(strict === true ? { strict } : {}),
        // Only this API tells apart that it is not, and that nothing was said.
        ...(strict === false ? { extra: { [wireId]: { strict } } } : {}),
      },
      form: {
        kind,
        name: entry.name,
        ...(namespace === undefined ? {} : { namespace }),
      },
    },
  };
}

function joinNames(namespace: string, name: string): string {
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}

/** The way between the names that models use and the tools that the client declared. */
export class ToolForms {
  readonly #byName = new Map<string, ToolForm>();

  constructor(tools: Iterable<FlatTool>) {
    for (const { definition, form } of tools) this.#byName.set(definition.name, form);
  }

  /** How the client declared the tool that models call `name`. */
  formOf(name: string): ToolForm {
    return this.#byName.get(name) ?? { kind: 'function', name };
  }

  /** What models call a tool of a group, declared now or earlier. */
  nameOf(name: string, namespace: string | undefined): string {
    return namespace === undefined || namespace === '' ? name : joinNames(namespace, name);
  }
}
