import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { ollamaChatQuirks } from './quirks.ts';
import { ollamaModels } from './read-models.ts';
import { readGenerateRequest, readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';
import { type Surface, wireId } from './types.ts';
import { destinationOf, writeRequest } from './write-request.ts';
import { createStreamWriter, writeError, writeKeepAlive, writeMessage } from './write-stream.ts';

function createClient(surface: Surface): ClientWire {
  return {
    id: wireId,
    framing: 'ndjson',
    readRequest: surface === 'generate' ? readGenerateRequest : readRequest,
    createStreamWriter: (context) => createStreamWriter(context, surface),
    writeMessage: (events, context) => writeMessage(events, context, surface),
    writeError,
    // Upstreams are asked on the other endpoint, whose lines look different.
    mayRelay: () => surface === 'chat',
    keepAlive: (context) => writeKeepAlive(context, surface),
  };
}

/** Ollama's chat API as clients see it: `/api/chat`. */
export const ollamaChatClient: ClientWire = createClient('chat');

/** The same wire's older endpoint `/api/generate`: a prompt in, `response` out. It declares no tools. */
export const ollamaGenerateClient: ClientWire = createClient('generate');

/** Ollama's chat API as upstreams speak it. */
export const ollamaChatUpstream: UpstreamWire = {
  id: wireId,
  quirks: ollamaChatQuirks,
  holdsFormats: true,
  ignoresToolChoice: true,
  callIds: 'as-they-are',
  framing: 'ndjson',
  writeRequest,
  destinationOf,
  createStreamReader,
  readMessage,
  readError,
  models: ollamaModels,
};
