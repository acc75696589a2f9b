import { findMisfit, misfitWords, type ToolDefinition } from '@dragoman/core';
import type { JsonObject } from '../chat/message.ts';
import { isObject } from '../chat/read-message.ts';
import type { Tool } from './tool.ts';
import { createVaultTools } from './vault-tools.ts';

/** What a call comes to before anything runs: its tool, or in words for the model why there is none. */
export type FoundTool = { readonly tool: Tool } | { readonly fault: string };

/** The tools of an agent. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: readonly Tool[] = []) {
    for (const tool of tools) this.add(tool);
  }

  /** Adds a tool. Throws a TypeError for one without a name, a description or a schema, and for a name that is taken. */
  add(tool: Tool): void {
    const { name, description, inputSchema, run } = tool;
    if (typeof name !== 'string' || name.trim() === '') throw new TypeError('A tool needs a name.');
    if (typeof description !== 'string' || description.trim() === '') {
      throw new TypeError(`The tool "${name}" needs a description, which the model reads.`);
    }
    if (!isObject(inputSchema))
      throw new TypeError(`The tool "${name}" needs an inputSchema, the schema of its arguments.`);
    if (typeof run !== 'function') throw new TypeError(`The tool "${name}" needs a function run.`);
    if (this.#tools.has(name)) throw new TypeError(`There are two tools of the name "${name}".`);
    this.#tools.set(name, tool);
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** What a model is told of the tools: these very definitions are sent with each request. */
  get definitions(): readonly ToolDefinition[] {
    return [...this.#tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  find(name: string, values: JsonObject): FoundTool {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      return { fault: `There is no tool ${JSON.stringify(name.slice(0, 64))}. There are: ${this.names.join(', ')}.` };
    }
    const misfit = findMisfit(values, tool.inputSchema);
    if (misfit === undefined || misfit === 'unjudged') return { tool };
    return {
      fault: `The arguments of ${name} do not fit: ${misfitWords(misfit)}. Call it again with arguments that do.`,
    };
  }
}

/** Tools beside those over the vault, without those whose name is taken, and a sentence for each of these. */
export function withoutNamesakes(tools: readonly Tool[]): {
  readonly tools: readonly Tool[];
  readonly problems: readonly string[];
} {
  const names = new Set(createVaultTools().map(({ name }) => name));
  const problems: string[] = [];
  const kept = tools.filter(({ name }) => {
    if (names.has(name)) problems.push(`There are two tools of the name "${name}"; the first one is used.`);
    return !names.has(name) && names.add(name);
  });
  return { tools: kept, problems };
}
