import { openaiModels } from '../read-openai-models.ts';
import { readError } from '../read-upstream-error.ts';
import { isAbsent } from '../read-values.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { writeError } from './errors.ts';
import { openaiResponsesQuirks } from './quirks.ts';
import { type ReadRequestOptions, readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';
import { wireId } from './types.ts';
import { destinationOf, writeRequest } from './write-request.ts';
import { createStreamWriter, type StreamWriterOptions, writeMessage } from './write-stream.ts';

export interface OpenaiResponsesClientOptions extends ReadRequestOptions, StreamWriterOptions {}

/** The Responses wire as clients see it, which is also OpenResponses, with its options set. */
export function createOpenaiResponsesClient(options: OpenaiResponsesClientOptions = {}): ClientWire {
  return {
    id: wireId,
    framing: options.framing ?? 'sse',
    readRequest: (body) => readRequest(body, options),
    createStreamWriter: (context) => createStreamWriter(context, options),
    writeMessage: (events, context) => writeMessage(events, context, options),
    writeError,
    retells: 'instructions',
    // What we store, and what continues it, has to come from us.
    mayRelay: (body) => body.store === false && isAbsent(body.previous_response_id) && options.done !== true,
    keepAlive: options.framing === 'ndjson' ? '\n' : ': keepalive\n\n',
  };
}

// What uses one half alone, as clients do, is bundled without the other.
export const openaiResponsesClient: ClientWire = /* @__PURE__ */ createOpenaiResponsesClient();

/** The Responses wire as upstreams speak it. */
export const openaiResponsesUpstream: UpstreamWire = {
  id: wireId,
  quirks: openaiResponsesQuirks,
  callIds: 'short',
  cannotStop: true,
  // llama.cpp.
  ignoresFormats: true,
  longestToolName: 64,
  framing: 'sse',
  writeRequest,
  destinationOf,
  createStreamReader,
  readMessage,
  readError,
  models: openaiModels,
};
