import {
  anyDialect,
  clientWires,
  defaultModelRule,
  type EngineSetup,
  planRequest,
  prepareRequest,
  type Transport,
  type Warning,
} from '@dragoman/core';
import { randomHex } from '../config/create-setup.ts';
import { fieldsOf } from './parse-line.ts';
import type { KnownDialects } from './read-dialects.ts';
import { CommandError } from './terminal.ts';

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
