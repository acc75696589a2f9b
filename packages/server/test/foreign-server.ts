import { jsonReply, type ScriptedReply, type ScriptedUpstream, type SeenRequest } from '@dragoman/testkit';
import { upstreamForTest } from './for-test.ts';

/** How a foreign server departs from good order. */
export interface Fault {
  /** Takes the place of an answer; undefined leaves it as it is. */
  readonly reply?: (request: SeenRequest) => ScriptedReply | undefined;
  /** Alters each chunk of a stream; undefined leaves it out. */
  readonly chunk?: (chunk: Chunk) => unknown;
  /** Alters the text of a stream. */
  readonly stream?: (text: string) => string;
  /** The id of a call; default: a new one for each. */
  readonly callId?: (place: number) => string;
}

export type Chunk = ReturnType<typeof chunkOf>;

interface Asked {
  readonly model?: unknown;
  readonly messages?: unknown;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly unknown[];
}

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

/**
 * A server that speaks Chat Completions and nothing else, in the spelling of others: fingerprints, nulls, whole arguments
 * in one fragment. Its model reads every file that the last message names.
 */
export function foreignServerForTest(fault: Fault = {}): Promise<ScriptedUpstream> {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  return upstreamForTest({ fallback: (request) => fault.reply?.(request) ?? answer(request, { fault, next }) });
}

interface Server {
  readonly fault: Fault;
  next(): number;
}

function answer({ path, body }: SeenRequest, server: Server): ScriptedReply {
  if (path === '/v1/models') return jsonReply(200, { object: 'list', data: [{ id: 'text-embedding-1' }, { id: 'm' }] });
  if (path !== '/v1/chat/completions') return jsonReply(404, { detail: 'Not Found' });
  const asked: Asked = typeof body === 'object' && body !== null ? body : {};
  if (!Array.isArray(asked.messages)) return failure(400, 'messages is no list');
  if (asked.model !== 'm') return failure(404, `The model ${asked.model} does not exist.`);
  const last = JSON.stringify(asked.messages.at(-1));
  const files = asked.tools === undefined || last.includes('"tool"') ? [] : (last.match(/README\.md|LICENSE/g) ?? []);
  const calls = files.map((path, place) => ({
    index: place,
    id: server.fault.callId?.(place) ?? `call_${server.next()}`,
    type: 'function',
    function: { name: 'read_file', arguments: JSON.stringify({ path }) },
  }));
  return asked.stream === true ? streamed(asked, calls, server) : whole(calls, server);
}

type Call = { readonly index: number; readonly id: string };

function whole(calls: readonly Call[], server: Server): ScriptedReply {
  const message = { role: 'assistant', content: calls.length > 0 ? null : 'Hello.', refusal: null, tool_calls: calls };
  return jsonReply(200, {
    id: `gen-${server.next()}`,
    object: 'chat.completion',
    created: 1,
    model: 'm-2026',
    choices: [{ index: 0, message, logprobs: null, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage,
  });
}

function chunkOf(id: string, delta: object, reason: string | null) {
  return {
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm-2026',
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, delta, finish_reason: reason }],
  };
}

function streamed(asked: Asked, calls: readonly Call[], { fault, next }: Server): ScriptedReply {
  const id = `gen-${next()}`;
  const deltas =
    calls.length > 0 ? calls.map((call) => ({ tool_calls: [call] })) : [{ content: 'Hel' }, { content: 'lo.' }];
  const chunks = [
    chunkOf(id, { role: 'assistant', content: '', refusal: null }, null),
    ...deltas.map((delta) => chunkOf(id, delta, null)),
    chunkOf(id, {}, calls.length > 0 ? 'tool_calls' : 'stop'),
    ...(asked.stream_options?.include_usage === true ? [{ ...chunkOf(id, {}, null), choices: [], usage }] : []),
  ];
  const altered = chunks.map((chunk) => (fault.chunk === undefined ? chunk : fault.chunk(chunk)));
  const frames = altered.filter((chunk) => chunk !== undefined).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const text = `${frames.join('')}data: [DONE]\n\n`;
  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    steps: [{ text: fault.stream?.(text) ?? text }],
  };
}

export function failure(status: number, message: string): ScriptedReply {
  return jsonReply(status, { error: { message, type: 'invalid_request_error', param: null, code: null } });
}
