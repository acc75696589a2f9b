import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import {
  readOnce,
  readToolFields,
  refuseOtherForm,
  refuseWithoutTools,
  ToolList,
  undeclaredTool,
} from '../declared-tools.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  type ReadNotes,
  RequestFields,
  readList,
  readObject,
} from '../read-values.ts';
import { asExtra } from './types.ts';

/** The tools of a request. */
export interface ReadTools {
  /** Those that the client runs. */
  readonly tools: readonly ToolDefinition[];
  /** Those that Anthropic runs, or that have no schema because Claude knows them: as they came, for its own models. */
  readonly foreign: readonly JsonObject[];
}

/**
 * The declared tools. A malformed or repeated one is left out and reported, one in the form of another API is refused; the
 * others stay. Left out are also, for all upstreams but those of this wire, tools that Anthropic runs or knows. Tools whose
 * loading is deferred are declared like all others: only an upstream of this wire knows how to wait for them.
 */
export function readTools(body: JsonObject, notes: ReadNotes): ReadTools {
  return isAbsent(body.tools) ? { tools: [], foreign: [] } : readDeclared(readList(body.tools, 'tools'), notes);
}

const readDeclared = readOnce((list, notes): ReadTools => {
  const declared = new ToolList(notes, 'input_schema');
  const foreign: JsonObject[] = [];
  list.forEach((value, index) => {
    refuseOtherForm(value, `tools[${index}]`, 'input_schema');
    if (isForeign(value)) {
      foreign.push(value);
      const kind = String(value.type).slice(0, 40);
      const message = `tools[${index}] of type "${kind}" is only for Anthropic, which runs or knows it.`;
      notes.add({ code: 'tool-dropped', message });
      return;
    }
    declared.add(`tools[${index}]`, readTool(value));
  });
  return { tools: declared.whole(foreign.length), foreign };
});

function isForeign(tool: unknown): tool is JsonObject {
  return isObject(tool) && !isAbsent(tool.type) && tool.type !== 'custom' && tool.type !== 'function';
}

/** One tool, or what is wrong with it. */
function readTool(value: unknown): ToolDefinition | string {
  if (!isObject(value)) return 'it is not an object';
  const { type: _type, name, description, input_schema: schema, strict, ...own } = value;
  const tool = readToolFields({ name, description, strict }, schema, 'input_schema is');
  return typeof tool === 'string' ? tool : { ...tool, ...asExtra(own) };
}

/** What the client demands of calls. */
export interface ReadChoice {
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  /** The tool of Anthropic's own that has to be called; `toolChoice` is `auto` then, for all others. */
  readonly foreignChoice?: string;
}

/** `tool_choice` with its switch against parallel calls. A name has to be one of the declared tools that can be read. */
export function readToolChoice(body: JsonObject, { tools, foreign }: ReadTools): ReadChoice {
  if (isAbsent(body.tool_choice)) return { toolChoice: 'auto', parallelToolCalls: true };
  const choice = readObject(body.tool_choice, 'tool_choice');
  if (choice.type === 'any') refuseWithoutTools('tool_choice', body.tools);
  return {
    ...readChoice(choice, { tools, foreign }),
    parallelToolCalls: !RequestFields.at(choice, 'tool_choice').flag('disable_parallel_tool_use', false),
  };
}

function readChoice(choice: JsonObject, { tools, foreign }: ReadTools): Omit<ReadChoice, 'parallelToolCalls'> {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { toolChoice: choice.type };
    case 'any':
      return { toolChoice: 'required' };
    case 'tool': {
      const { name } = choice;
      if (typeof name !== 'string' || name === '') throw badRequest('tool_choice.name', 'is required.');
      if (foreign.some((tool) => tool.name === name)) return { toolChoice: 'auto', foreignChoice: name };
      if (!tools.some((tool) => tool.name === name)) {
        throw undeclaredTool('tool_choice.name', name, tools);
      }
      return { toolChoice: { name } };
    }
    default:
      throw badRequest('tool_choice.type', 'must be auto, any, tool or none.');
  }
}
