import { openaiModels } from '../read-openai-models.ts';
import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { openaiCompletionsQuirks } from './quirks.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';
import { promptOf, wireId } from './types.ts';
import { destinationOf, writeRequest } from './write-request.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

/** The older Completions API as clients see it: a prompt in, text out. It declares no tools. */
export const openaiCompletionsClient: ClientWire = {
  id: wireId,
  framing: 'sse',
  readRequest,
  createStreamWriter,
  writeMessage,
  writeError: writeOpenaiError,
  retells: 'prompt',
  keepAlive: ': keepalive\n\n',
};

/** The Completions API as upstreams speak it: one text in, one text out. */
export const openaiCompletionsUpstream: UpstreamWire = {
  id: wireId,
  quirks: openaiCompletionsQuirks,
  textOnly: true,
  isAsWritten: (request) => promptOf(request) !== undefined,
  outputFormats: [],
  framing: 'sse',
  writeRequest,
  destinationOf,
  createStreamReader,
  readMessage,
  readError,
  models: openaiModels,
};
