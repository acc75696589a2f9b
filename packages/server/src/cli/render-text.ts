import type { ToolDefinition } from '@dragoman/core';
import { harmless, harmlessLines } from '../log/harmless.ts';
import { isRecord } from '../transports/scripted/is-record.ts';
import { readDialects } from './read-dialects.ts';
import { readInput } from './read-input.ts';
import { readToolsFile } from './read-tools.ts';
import { type RenderedRequest, renderRequest } from './render-line.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** The options of `dragoman render` that say how one conversation is written and shown. */
export interface RenderFlags {
  readonly config?: string;
  readonly dialect?: string;
  readonly tools?: string;
  readonly json?: boolean;
}

/**
 * `dragoman render` without `--jsonl`: writes the conversation on standard input as a model that reads only text would get
 * it. Throws CommandError for a dialect or tools that do not exist, and DragomanError for what is no conversation.
 */
export async function renderText(terminal: Terminal, flags: RenderFlags): Promise<number> {
  const { dialect } = flags;
  if (dialect === undefined) {
    throw new CommandError('Name how the model writes with --dialect, or render a request in each line with --jsonl.');
  }
  const known = readDialects(terminal, flags);
  const tools = flags.tools === undefined ? undefined : await readToolsFile(terminal, flags.tools);
  const body = bodyOf(await readInput(terminal, 'The conversation'));
  const declared = tools === undefined ? {} : { tools: tools.map(asFunction) };
  const rendered = renderRequest({ ...body, ...declared }, { dialect, known });
  const shown = flags.json === true ? JSON.stringify({ dialect, ...rendered }) : printed(dialect, rendered);
  terminal.stdout.write(`${shown}\n`);
  return 0;
}

/** A request, the messages of one, or text, which is what the user says. */
function bodyOf(input: string): Readonly<Record<string, unknown>> {
  if (input.trim() === '') {
    throw new CommandError(
      'Standard input is empty: write what the user says, a list of messages, or a Chat Completions request.',
    );
  }
  if (!['{', '['].includes(input.trimStart().charAt(0)))
    return { messages: [{ role: 'user', content: input.trimEnd() }] };
  const value = parsed(input);
  return isRecord(value) ? value : { messages: value };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(`Standard input begins as JSON does, and is none: ${reason}`);
  }
}

function asFunction({ name, description, inputSchema }: ToolDefinition): object {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

function printed(dialect: string, { messages, warnings }: RenderedRequest): string {
  const list = Array.isArray(messages) ? messages.filter(isRecord) : [];
  const said = list.map(({ role, content }) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    return `──── ${harmless(String(role))}\n${harmlessLines(text)}`;
  });
  const told = warnings.map(({ code, message }) => `warning ${code}: ${harmless(message)}`);
  return [`dialect ${dialect}`, ...said, ...(told.length === 0 ? [] : [told.join('\n')])].join('\n\n');
}
