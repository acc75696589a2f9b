import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { anthropicCounting } from './count-tokens.ts';
import { writeError } from './errors.ts';
import { anthropicMessagesQuirks } from './quirks.ts';
import { anthropicModels } from './read-models.ts';
import { type ReadRequestOptions, readRequest } from './read-request.ts';
import { createStreamReader, isQuiet, readMessage } from './read-stream.ts';
import { wireId } from './types.ts';
import { destinationOf, writeRequest } from './write-request.ts';
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

export const anthropicMessagesClient: ClientWire = createAnthropicMessagesClient();

/** The Messages wire as upstreams speak it. */
export const anthropicMessagesUpstream: UpstreamWire = {
  id: wireId,
  quirks: anthropicMessagesQuirks,
  callIds: 'anthropic',
  longestToolName: 128,
  framing: 'sse',
  outputFormats: ['json-schema'],
  // llama.cpp, Ollama.
  ignoresFormats: true,
  writeRequest,
  destinationOf,
  createStreamReader,
  isQuiet,
  readMessage,
  readError,
  writeHeaders: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }),
  models: anthropicModels,
  counting: anthropicCounting,
};
