import { type Transport, toDragomanError, type UpstreamRequest } from '@dragoman/core';
import {
  countPromptTokens,
  countTextTokens,
  prefixOfTokens,
  type TokenCounter,
} from '../../tokens/count-text-tokens.ts';
import { type ChatReply, chatBody, chatFrames, doneFrame, type TokenUsage, usageFrame } from './chat-frames.ts';
import type { PromptMessage } from './demo-model/read-prompt.ts';
import { PacedConnection } from './paced-connection.ts';
import { type ChatBody, readChatBody } from './read-chat-body.ts';

/** A model as a function: what it sees, and what it writes. Undefined: there is no such model. */
export type TextModel = (model: string, messages: readonly PromptMessage[]) => string | undefined;

export interface ScriptedTransportOptions {
  readonly model: TextModel;
  /** Milliseconds between two frames. 0 (the default): a turn of the event loop. */
  readonly pace?: number;
  /** Default: the o200k tokenizer, loaded when it is first needed. */
  readonly countTokens?: TokenCounter;
  /** Hears what the model saw and what it wrote, before the first piece leaves. For demonstrations. */
  readonly tap?: (turn: ModelTurn) => void;
}

/** One turn of the model: the prompt exactly as it saw it and the reply exactly as it wrote it. */
export interface ModelTurn {
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly reply: string;
}

/**
 * A transport that answers in process as an OpenAI-compatible, text-only server would: SSE in small pieces or one JSON
 * body, usage, `max_tokens`, `stop`. It takes what our own wire writes, and never answers during `send`.
 */
export function createScriptedTransport(options: ScriptedTransportOptions): Transport {
  let count = 0;
  return {
    send: (request, receiver) => {
      const connection = new PacedConnection(receiver, options.pace ?? 0);
      count += 1;
      const id = `chatcmpl-scripted-${count}`;
      answer({ request, connection, id, options }).catch((error: unknown) => connection.fail(toDragomanError(error)));
      return connection;
    },
  };
}

interface Exchange {
  readonly request: UpstreamRequest;
  readonly connection: PacedConnection;
  readonly id: string;
  readonly options: ScriptedTransportOptions;
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, connection, options } = exchange;
  if (!(await connection.turn())) return;
  const body = readChatBody(
    request.bytes === undefined ? request.body : JSON.parse(Buffer.from(request.bytes).toString()),
  );
  const written = options.model(body.model, body.messages);
  if (written === undefined) return refuse(connection, `There is no model ${body.model}.`);
  options.tap?.({ model: body.model, messages: body.messages, reply: written });
  const reply = await finish(written, { ...exchange, body });
  await (body.stream ? sendStream(reply, { ...exchange, body }) : sendWhole(reply, { ...exchange, body }));
}

interface Reply extends Exchange {
  readonly body: ChatBody;
}

/** Applies `stop` and the token limit to what the model wrote. */
async function finish(written: string, { body, id, options }: Reply): Promise<ChatReply> {
  let text = written;
  for (const stop of body.stop) {
    const at = text.indexOf(stop);
    if (at !== -1) text = text.slice(0, at);
  }
  const counter = options.countTokens ?? countTextTokens;
  const fitting = body.maxTokens === undefined ? text : await prefixOfTokens(text, body.maxTokens, counter);
  const finishReason = fitting.length < text.length ? 'length' : 'stop';
  const created = Math.floor(Date.now() / 1000);
  return { id, model: body.model, created, text: fitting, finishReason };
}

async function sendStream(reply: ChatReply, { connection, body, options }: Reply): Promise<void> {
  connection.start(200, 'text/event-stream');
  for (const frame of chatFrames(reply)) {
    if (!(await connection.turn())) return;
    connection.data(frame);
  }
  // Counted last: the first piece must not wait for numbers that come at the end.
  const usage = body.includeUsage ? usageFrame(reply, await usageOf(reply, body, options)) : '';
  if (!(await connection.turn())) return;
  connection.data(usage + doneFrame);
  connection.end();
}

async function sendWhole(reply: ChatReply, { connection, body, options }: Reply): Promise<void> {
  const text = chatBody(reply, await usageOf(reply, body, options));
  if (!(await connection.turn())) return;
  connection.start(200, 'application/json');
  connection.data(text);
  connection.end();
}

async function usageOf(reply: ChatReply, body: ChatBody, options: ScriptedTransportOptions): Promise<TokenUsage> {
  const counter = options.countTokens ?? countTextTokens;
  return { prompt: await countPromptTokens(body.messages, counter), completion: await counter([reply.text]) };
}

function refuse(connection: PacedConnection, message: string): void {
  connection.start(404, 'application/json');
  connection.data(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }));
  connection.end();
}
