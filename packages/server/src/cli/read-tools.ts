import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ChatRequest, clientWires, type ToolDefinition } from '@dragoman/core';
import { isRecord } from '../transports/scripted/is-record.ts';
import { type Declaration, readDeclaration } from './read-declaration.ts';
import { CommandError, type Terminal } from './terminal.ts';

/**
 * The tools in a file: a list of them, or a whole request that declares them, in the words of any API. Throws CommandError
 * for a file that is none of these, and names the tool and the field that would not be read.
 */
export async function readToolsFile({ cwd }: Terminal, file: string): Promise<readonly ToolDefinition[]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(resolve(cwd, file), 'utf8'));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(`The tools in ${file} cannot be read: ${reason}`);
  }
  const list = listIn(content);
  if (list === undefined) {
    throw new CommandError(`${file} holds no tools: a list of them, or a request with "tools", was expected.`);
  }
  const { tools, warnings } = requestWith(declarationsIn(list, file).map(readDeclaration));
  const [warning] = warnings;
  if (warning !== undefined) throw new CommandError(`${file}: ${warning.message}`);
  return tools;
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

/** The list itself, or where a request of some API has it: `tools`, `functions`, or Bedrock's `toolConfig`. */
function listIn(content: unknown): readonly unknown[] | undefined {
  if (!isRecord(content)) return Array.isArray(content) ? content : undefined;
  const { tools, functions, toolConfig } = content;
  const inside = isRecord(toolConfig) ? toolConfig.tools : undefined;
  return [tools, functions, inside].find((each): each is unknown[] => Array.isArray(each));
}

/** One by one: an entry of Gemini's list declares several tools, and one of Bedrock's may only say what is cached. */
function declarationsIn(list: readonly unknown[], file: string): readonly Declaration[] {
  return list.flatMap((value, at): readonly Declaration[] => {
    const place = `tools[${at}] in ${file}`;
    if (!isRecord(value) || 'name' in value) return [{ value, place }];
    const many = value.functionDeclarations ?? value.function_declarations;
    if (Array.isArray(many)) {
      return many.map((each, index) => ({ value: each, place: `functionDeclarations[${index}] of ${place}` }));
    }
    return 'cachePoint' in value ? [] : [{ value, place }];
  });
}
