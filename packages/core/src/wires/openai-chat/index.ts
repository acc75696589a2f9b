import { openaiModels } from '../read-openai-models.ts';
import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { openaiChatQuirks } from './quirks.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, isQuiet, readMessage } from './read-stream.ts';
import { wireId } from './types.ts';
import { writeRequest } from './write-request.ts';
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

export interface OpenaiChatUpstreamOptions {
  /** Makes an id for a call that came without a usable one. Must never repeat. */
  readonly mintId?: () => string;
}

/** The Chat Completions wire as upstreams speak it, with its options set. */
export function createOpenaiChatUpstream(options: OpenaiChatUpstreamOptions = {}): UpstreamWire {
  return {
    id: wireId,
    quirks: openaiChatQuirks,
    callIds: 'short',
    longestToolName: 64,
    framing: 'sse',
    writeRequest,
    createStreamReader: (request, quirks = {}) => createStreamReader(request, { quirks, ...options }),
    isQuiet,
    readMessage: (body, request) => readMessage(body, request, options),
    readError,
    models: openaiModels,
  };
}

export const openaiChatClient: ClientWire = createOpenaiChatClient();
export const openaiChatUpstream: UpstreamWire = createOpenaiChatUpstream();
