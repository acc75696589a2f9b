import {
  anyDialect,
  clientWires,
  defaultModelRule,
  type EngineSetup,
  planRequest,
  prepareRequest,
  type ToolDefinition,
  type Transport,
  type Warning,
} from '@dragoman/core';
import { randomHex } from '../config/create-setup.ts';
import { isRecord } from '../is-record.ts';
import { harmless, harmlessLines } from '../log/harmless.ts';
import { fieldsOf } from './parse-line.ts';
import { type KnownDialects, readDialects } from './read-dialects.ts';
import { readInput } from './read-input.ts';
import { readToolsFile } from './read-tools.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Answers a line of `render --jsonl`, `{id, dialect, request}`. Throws CommandError or DragomanError. */
export function renderLine(input: unknown, known: KnownDialects): { readonly id: unknown; readonly messages: unknown } {
  const { id, dialect, request } = fieldsOf(input);
  if (typeof request !== 'object' || request === null) throw new CommandError('"request" must be an object');
  return { id, messages: renderRequest(request, { dialect, known }).messages };
}

/** What a model that reads only text would get of a request, and what was repaired or left out on the way. */
export interface RenderedRequest {
  readonly messages: unknown;
  readonly warnings: readonly Warning[];
}

/**
 * Writes the body of a Chat Completions request with a dialect, as the engine does for a model whose rule says nothing
 * else. Throws CommandError for a dialect that does not exist, and DragomanError for what is no such body.
 */
export function renderRequest(
  body: object,
  { dialect, known }: { readonly dialect: unknown; readonly known: KnownDialects },
): RenderedRequest {
  // Checked here, where the nearest one is known: "any" stays what it is, which escapes the markers of all.
  known.find(dialect);
  const wire = clientWires.get('openai-chat');
  if (wire === undefined) throw new CommandError('the wire openai-chat is missing');
  // The model's name says nothing here: whatever it is, it leads to the one place with this dialect.
  const read = wire.readRequest({ ...body, model: 'line/model' });
  const setup = { ...setupFor(String(dialect)), dialects: known.own };
  const { upstreamRequest, warnings } = prepareRequest(read, { plan: planRequest(read, setup), setup });
  return { messages: fieldsOf(upstreamRequest.body).messages, warnings };
}

const nowhere: Transport = {
  send() {
    throw new Error('rendering sends nothing');
  },
};

function setupFor(dialect: string): EngineSetup {
  const rule = { ...defaultModelRule, toolCalling: dialect === anyDialect ? ('text' as const) : { dialect } };
  const line = {
    name: 'line',
    wire: 'openai-chat',
    transport: nowhere,
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
    models: new Map([['model', rule]]),
  };
  return {
    upstreams: new Map([['line', line]]),
    aliases: new Map(),
    maxTools: Number.MAX_SAFE_INTEGER,
    maxReplyBytes: 0,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    randomHex,
  };
}

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
    throw new CommandError(`Standard input begins like JSON, and cannot be read as JSON: ${reason}`);
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
