import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { anthropicCounting } from './count-tokens.ts';
import { writeError } from './errors.ts';
import { anthropicMessagesQuirks } from './quirks.ts';
import { anthropicModels } from './read-models.ts';
import { type ReadRequestOptions, readRequest } from './read-request.ts';
import { createStreamReader, isQuiet, readMessage, type StreamReaderOptions } from './read-stream.ts';
import { wireId } from './types.ts';
import { writeRequest } from './write-request.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

export type AnthropicMessagesClientOptions = ReadRequestOptions;

/** The Messages wire as clients see it, with its options set. */
export function createAnthropicMessagesClient(options: AnthropicMessagesClientOptions = {}): ClientWire {
  return {
    id: wireId,
    framing: 'sse',
    readRequest: (body, headers = {}) => readRequest(body, { ...options, headers }),
    createStreamWriter,
    writeMessage,
    writeError,
    requestIdHeader: 'request-id',
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  };
}

export type AnthropicMessagesUpstreamOptions = StreamReaderOptions;

/** The Messages wire as upstreams speak it, with its options set. */
export function createAnthropicMessagesUpstream(options: AnthropicMessagesUpstreamOptions = {}): UpstreamWire {
  return {
    id: wireId,
    quirks: anthropicMessagesQuirks,
    callIds: 'anthropic',
    longestToolName: 128,
    framing: 'sse',
    outputFormats: ['json-schema'],
    // llama.cpp, Ollama.
    ignoresFormats: true,
    writeRequest,
    createStreamReader: (request) => createStreamReader(request, options),
    isQuiet,
    readMessage: (body, request) => readMessage(body, request, options),
    readError,
    writeHeaders: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }),
    models: anthropicModels,
    counting: anthropicCounting,
  };
}

export const anthropicMessagesClient: ClientWire = createAnthropicMessagesClient();
export const anthropicMessagesUpstream: UpstreamWire = createAnthropicMessagesUpstream();
