import type { JsonObject } from '@dragoman/openresponses-client';
import type { LanguageModelChatTool } from 'vscode';
import { isObject } from '../read-fields.ts';
import type { FunctionTool } from './written-request.ts';

/** The longest name that OpenResponses takes. */
const longest = 64;

/**
 * Names of tools on their way to the server and back. OpenResponses takes letters, digits, `_` and `-`, at most 64; other
 * names are rewritten, and told apart by a number where two would become the same. The same name is always written alike.
 */
export class ToolNames {
  readonly #written = new Map<string, string>();
  readonly #meant = new Map<string, string>();

  /** Names that are fine keep themselves, whatever else is rewritten. */
  constructor(names: readonly string[]) {
    for (const name of names) if (isFine(name)) this.#keep(name, name);
    for (const name of names) this.write(name);
  }

  /** As the server takes it. */
  write(name: string): string {
    const known = this.#written.get(name);
    if (known !== undefined) return known;
    const legal = [...name].map((character) => (isFine(character) ? character : '_')).join('');
    let written = legal.slice(0, longest) || '_';
    for (let count = 2; this.#meant.has(written); count += 1) {
      const ending = `_${count}`;
      written = legal.slice(0, longest - ending.length) + ending;
    }
    this.#keep(name, written);
    return written;
  }

  /** As VS Code knows it; a name that nobody declared stays as the model wrote it. */
  read(written: string): string {
    return this.#meant.get(written) ?? written;
  }

  #keep(name: string, written: string): void {
    this.#written.set(name, written);
    this.#meant.set(written, name);
  }
}

function isFine(name: string): boolean {
  const codes = [...name].map((character) => character.codePointAt(0) ?? 0);
  const fine = (code: number) =>
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 45 ||
    code === 95;
  return name.length > 0 && name.length <= longest && codes.every(fine);
}

/** Tools as OpenResponses has them: flat, each with a schema of an object. */
export function writeTools(tools: readonly LanguageModelChatTool[], names: ToolNames): readonly FunctionTool[] {
  return tools.map((tool) => {
    const { name, description, inputSchema } = flattened(tool);
    return {
      type: 'function',
      name: names.write(name),
      description,
      parameters: repairSchema(inputSchema),
      strict: false,
    };
  });
}

/** Name, description and schema, also of a tool that came in the nested form of Chat Completions. */
export function flattened(tool: LanguageModelChatTool): {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
} {
  const inner = 'function' in tool && isObject(tool.function) ? tool.function : undefined;
  if (inner === undefined)
    return { name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema };
  return {
    name: String(inner.name ?? tool.name),
    description: String(inner.description ?? ''),
    inputSchema: inner.parameters,
  };
}

/** Some of Copilot's tools have no schema, others one without type or properties: servers refuse both. */
function repairSchema(schema: unknown): JsonObject {
  if (!isObject(schema)) return { type: 'object', properties: {} };
  return {
    ...schema,
    type: 'object',
    properties: isObject(schema.properties) ? schema.properties : {},
  };
}
