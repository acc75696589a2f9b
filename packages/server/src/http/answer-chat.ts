import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  answer,
  type ChatRequest,
  type ClientWire,
  checkBodyCounts,
  defaultModelOf,
  type EngineSetup,
  planRequest,
  type ReplyContext,
  storableIdsIn,
  type ToolDefinition,
} from '@dragoman/core';
import { dependsOnServer } from '../discovery/depends-on-server.ts';
import { noteWarning } from '../log/request-note.ts';
import { traceReply } from '../log/trace-exchange.ts';
import { conversationIdentity } from './conversation-identity.ts';
import { type Exchange, type HttpExchange, ownerOf } from './exchange.ts';
import { HttpRecipient } from './http-recipient.ts';
import { isLargeBody, readBytesAndJson } from './read-body.ts';
import { relayable } from './relay.ts';
import { StreamAnswer } from './stream-answer.ts';
import { soundsLikeTools } from './tool-intent.ts';
import { WholeAnswer } from './whole-answer.ts';

/** Answers a chat request of any client wire: read it, hand it to the engine, let the reply out as it comes. */
export async function answerChat(exchange: HttpExchange, wire: ClientWire): Promise<void> {
  const { limits } = exchange.gateway.config;
  const read = await readBytesAndJson(exchange.request, { limit: limits.bodyBytes, owner: ownerOf(exchange) });
  await answerBody(exchange, { wire, ...read });
}

interface Body {
  readonly wire: ClientWire;
  readonly body: unknown;
  /** What the body was parsed from, where it is the very body that came. */
  readonly bytes?: Buffer | undefined;
}

/** `answerChat` for routes that look at the body first. Throws a DragomanError for a body that is refused. */
export async function answerBody(exchange: HttpExchange, { wire, body, bytes }: Body): Promise<void> {
  exchange.wire = wire;
  const context = readChatRequest(exchange, { wire, body, bytes });
  const needed = fetchNeeded(exchange, context);
  if (needed !== undefined) await needed;
  if (bytes !== undefined && isLargeBody(bytes)) await nextTurn();
  answerRead(exchange, { wire, body, bytes, context });
}

/** `answerBody` for a body that is read. */
export function answerRead(
  exchange: HttpExchange,
  { wire, body, bytes, context }: Body & { readonly context: ReplyContext },
): void {
  const { request } = context;
  const { framing, keepAlive: filler } = wire;
  const lean = contextOfReply(context, wire);
  const keepAlive = () => (typeof filler === 'string' ? filler : filler(lean));
  const recipient = () => new HttpRecipient(exchange, { framing, keepAlive });
  const relay = relayable(body, { wire, request, bytes });
  const reply = request.stream
    ? new StreamAnswer({ exchange, wire, context: lean, recipient: recipient(), relay })
    : new WholeAnswer({ exchange, wire, context, relay });
  beginReply(exchange, { context, reply });
}

/** What is needed while a reply is written: a stream stays open for long, and its history is most of what a request weighs. */
function contextOfReply(context: ReplyContext, { retells }: ClientWire): ReplyContext {
  if (retells === 'prompt') return context;
  const { messages } = context.request;
  return { ...context, request: { ...context.request, messages: retells === undefined ? [] : messages.slice(0, 1) } };
}

/** Hands a request to the engine, whose reply fills `reply`. Throws a DragomanError for what the client did wrong. */
export function beginReply(
  exchange: Exchange,
  { context, reply }: { readonly context: ReplyContext; readonly reply: StreamAnswer | WholeAnswer },
): void {
  const setup = exchange.gateway.setupOf(ownerOf(exchange));
  reply.attach(answer(context.request, exchange.recorder?.setupOf(setup) ?? setup, reply, exchange.plan));
  exchange.plan = undefined;
}

/** Reads what is asked, and tells the log of it. Throws a DragomanError for a body that is refused. */
export function readChatRequest(exchange: Exchange, { wire, body, bytes }: Body): ReplyContext {
  const { config, setup } = exchange.gateway;
  checkBodyCounts(body);
  const read = wire.readRequest(withModel(body, setup), exchange.headers);
  const named = conversationIdentity(exchange.headers, body);
  const request = allowTools(named === undefined ? read : { ...read, conversation: named }, config.allowedTools);
  noteRequest(exchange, request);
  const created = Math.floor(Date.now() / 1000);
  const context: ReplyContext = {
    request,
    replyId: setup.randomHex(24),
    created,
    elapsed: () => exchange.elapsed(),
    report: ({ code }) => noteWarning(exchange.note, code),
  };
  const { headers, gateway } = exchange;
  const about = { config, owner: ownerOf(exchange), headers, wire, body, bytes, context };
  exchange.recorder = gateway.stores.records?.begin(about);
  exchange.trace = traceReply(gateway.log, exchange.note.requestId);
  return context;
}

/** Fetches what planning and answering need: what is stored of the calls in a request, and what its server is. */
export function fetchNeeded(exchange: Exchange, { request }: ReplyContext): Promise<unknown> | undefined {
  const { gateway, identifyFirst } = exchange;
  const ids = gateway.stores.fetchCallIds(ownerOf(exchange), storableIdsIn(request));
  return identifyFirst === undefined ? ids : Promise.all([ids, gateway.identify(identifyFirst)]);
}

/** A body without a model asks for the default one. Where there is none, whoever plans the request refuses it. */
function withModel(body: unknown, setup: EngineSetup): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if ('model' in body && body.model !== '' && body.model !== null && body.model !== undefined) return body;
  const model = defaultModelOf(setup);
  return model === undefined ? body : { ...body, model };
}

/** Tells the log what was asked. */
function noteRequest(exchange: Exchange, request: ChatRequest): void {
  const { note, gateway } = exchange;
  if (request.model !== '') note.model = request.model.slice(0, 100);
  const plan = planRequest(request, gateway.setup);
  note.model = plan.asked === '' ? plan.model : plan.asked;
  note.upstream = plan.upstream;
  note.dialect = plan.toolCalling;
  note.stream = request.stream;
  note.tools = request.tools.length;
  if (gateway.config.log.toolIntent && request.tools.length === 0 && soundsLikeTools(request)) note.toolIntent = true;
  for (const warning of request.warnings) noteWarning(note, warning.code);
  if (dependsOnServer(request, plan, gateway.setup)) exchange.identifyFirst = plan.upstream;
  else exchange.plan = plan;
}

/** Only listed tools reach a model; the others are dropped with a warning. */
function allowTools(request: ChatRequest, allowed: readonly string[] | undefined): ChatRequest {
  if (allowed === undefined) return request;
  const listed = (tool: ToolDefinition) => allowed.includes(tool.name);
  const dropped = request.tools.filter((tool) => !listed(tool));
  if (dropped.length === 0) return request;
  const tools = request.tools.filter(listed);
  const { toolChoice } = request;
  const lost = tools.length === 0 || (typeof toolChoice === 'object' && !allowed.includes(toolChoice.name));
  return {
    ...request,
    tools,
    toolsWithheld: true,
    toolChoice: lost ? 'auto' : toolChoice,
    warnings: [
      ...request.warnings,
      ...dropped.map(({ name }) => ({
        code: 'tool-dropped' as const,
        message: `The tool "${name}" is not in "allowedTools".`,
      })),
    ],
  };
}
