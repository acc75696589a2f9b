import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import { errorKindOf } from '../error-kinds.ts';
import { DragomanError, toDragomanError } from '../errors.ts';
import type { ModelDescription } from '../plan/model-description.ts';
import { writeOpenaiModel } from '../plan/openai-model.ts';
import { randomHex } from '../random-hex.ts';
import { createOpenaiResponsesClient } from '../wires/openai-responses/index.ts';
import type { ClientWire } from '../wires/wire.ts';
import { asServerSaid } from './own-words.ts';

/** How one request is asked. */
export interface DirectAskOptions {
  readonly signal?: AbortSignal;
  /** Gets the bytes of the server's answer as they come, before anything is read in them: for whoever asks what a model wrote. */
  readonly hear?: (chunk: Uint8Array) => void;
}

/** What answers requests and lists models. */
export interface ModelServer {
  /**
   * Asks a model; the last event is `message-end` or `error`. Throws DragomanError for a request that cannot be sent, and the
   * signal's reason when it aborts, which also ends the upstream's work.
   */
  ask(request: ChatRequest, options?: DirectAskOptions): AsyncGenerator<ChatEvent, void, undefined>;
  /** Asks the server what models it has. Rejects with a DragomanError where it has no list. */
  models(options?: { readonly signal?: AbortSignal }): Promise<readonly ModelDescription[]>;
}

/** One request over HTTP, without HTTP. */
export async function serveDirect(
  direct: ModelServer,
  { request, hear }: { readonly request: Request; readonly hear: DirectAskOptions['hear'] },
): Promise<Response> {
  const wire = createOpenaiResponsesClient({ lenient: true, done: true });
  try {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET' && pathname.endsWith('/models')) {
      const models = await direct.models({ signal: request.signal });
      return json(200, { object: 'list', data: models.map(writeOpenaiModel) });
    }
    if (request.method === 'POST' && pathname.endsWith('/responses'))
      return await serveResponse(direct, { request, wire, hear });
    throw new DragomanError(
      'route-unknown',
      `There is no ${request.method} ${pathname} here, only POST /responses and GET /models.`,
    );
  } catch (thrown) {
    request.signal.throwIfAborted();
    return refusal(wire, toDragomanError(thrown));
  }
}

async function serveResponse(
  direct: ModelServer,
  {
    request,
    wire,
    hear,
  }: { readonly request: Request; readonly wire: ClientWire; readonly hear: DirectAskOptions['hear'] },
): Promise<Response> {
  const body: unknown = await request.json().catch(() => {
    throw new DragomanError('bad-request', 'The body is not JSON.');
  });
  const asked = wire.readRequest(body);
  const context = { request: asked, replyId: randomHex(24), created: Math.floor(Date.now() / 1000) };
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const events = direct.ask(asked, { signal, ...(hear && { hear }) });
  const begun: ChatEvent[] = [];
  // Until something can be shown, an error has a status of its own.
  for (;;) {
    const { value: event, done } = await events.next();
    if (done === true) break;
    if (event.type === 'error') return refusal(wire, event.error);
    begun.push(event);
    if (asked.stream && (isShown(event) || event.type === 'message-end')) break;
  }
  if (!asked.stream) return json(200, wire.writeMessage(begun, context));
  const frames: string[] = [];
  const writer = wire.createStreamWriter(context)((frame) => void frames.push(frame));
  const encoder = new TextEncoder();
  let isOver = false;
  const write = (event: ChatEvent) => {
    writer.push(event);
    isOver = event.type === 'message-end' || event.type === 'error';
    if (isOver) writer.end();
  };
  for (const event of begun) write(event);
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        while (frames.length === 0 && !isOver) {
          const { value: event, done } = await events.next();
          if (done === true) isOver = true;
          else write(event);
        }
        if (frames.length > 0) controller.enqueue(encoder.encode(frames.splice(0).join('')));
        if (isOver) controller.close();
      } catch (thrown) {
        controller.error(thrown);
      }
    },
    // A reader who leaves does not wait for the next event to be heard.
    cancel: (reason) => stop.abort(reason),
  });
  return new Response(stream, { status: 200, headers: { 'content-type': 'text/event-stream' } });
}

function isShown({ type }: ChatEvent): boolean {
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call-start';
}

/** As the server itself would have answered, with its own status and words. */
function refusal(wire: ClientWire, told: DragomanError): Response {
  const { status, error } = asServerSaid(told);
  const headers = { 'x-should-retry': String(errorKindOf(error).retryable) };
  const wait = error.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfter)) };
  return json(status, wire.writeError(error), { ...headers, ...wait });
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
}
