import { openaiModels } from '../read-openai-models.ts';
import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { openaiChatQuirks } from './quirks.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, isQuiet, readMessage } from './read-stream.ts';
import { wireId } from './types.ts';
import { destinationOf, writeRequest } from './write-request.ts';
import {
  createStreamWriter,
  type MessageWriterOptions,
  type StreamWriterOptions,
  writeMessage,
} from './write-stream.ts';

export interface OpenaiChatClientOptions extends StreamWriterOptions, MessageWriterOptions {}

/** The Chat Completions wire as clients see it, with its options set. */
export function createOpenaiChatClient(options: OpenaiChatClientOptions = {}): ClientWire {
  return {
    id: wireId,
    framing: 'sse',
    readRequest,
    createStreamWriter: (context) => createStreamWriter(context, options),
    writeMessage: (events, context) => writeMessage(events, context, options),
    writeError: writeOpenaiError,
    mayRelay: () => options.emitBeginToolCalls !== true,
    // Not ": ping": one client's reader takes that for the end of the stream.
    keepAlive: ': keepalive\n\n',
  };
}

export const openaiChatClient: ClientWire = createOpenaiChatClient();
/** The Chat Completions wire as upstreams speak it. */
export const openaiChatUpstream: UpstreamWire = {
  id: wireId,
  quirks: openaiChatQuirks,
  callIds: 'short',
  longestToolName: 64,
  framing: 'sse',
  writeRequest,
  destinationOf,
  createStreamReader,
  isQuiet,
  readMessage,
  readError,
  models: openaiModels,
};
