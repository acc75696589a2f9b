import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ChatRequest, clientWires, type ToolDefinition } from '@dragoman/core';
import { CommandError, type Terminal } from './terminal.ts';

/**
 * The tools in a file: a list of them, or a whole request that declares them, in the words of any API. Throws CommandError
 * for a file that is none of these.
 */
export async function readToolsFile({ cwd }: Terminal, file: string): Promise<readonly ToolDefinition[]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(resolve(cwd, file), 'utf8'));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(`The tools in ${file} cannot be read: ${reason}`);
  }
  const tools = Array.isArray(content) ? content : fieldOf(content, 'tools');
  if (!Array.isArray(tools)) {
    throw new CommandError(`${file} holds no tools: a list of them, or a request with "tools", was expected.`);
  }
  return requestWith(tools.map(asFunction)).tools;
}

/** A request that declares these tools, as a Chat Completions request declares them. */
export function requestWith(tools: unknown): ChatRequest {
  const wire = clientWires.get('openai-chat');
  if (wire === undefined) throw new CommandError('the wire openai-chat is missing');
  return wire.readRequest({
    model: 'line',
    messages: [{ role: 'user', content: 'line' }],
    ...(Array.isArray(tools) && tools.length === 0 ? {} : { tools }),
  });
}

/** The APIs differ in where they put a tool's fields and what they call its schema. */
function asFunction(tool: unknown): unknown {
  if (fieldOf(tool, 'function') !== undefined) return tool;
  const schemas = ['parameters', 'inputSchema', 'input_schema'].map((name) => fieldOf(tool, name));
  const parameters = schemas.find((schema) => schema !== undefined);
  const [name, description] = [fieldOf(tool, 'name'), fieldOf(tool, 'description')];
  return { type: 'function', function: { name, description, parameters } };
}

function fieldOf(value: unknown, name: string): unknown {
  return new Map(Object.entries(value ?? {})).get(name);
}
