import { openaiModels } from '../read-openai-models.ts';
import { readError } from '../read-upstream-error.ts';
import type { ClientWire, UpstreamWire } from '../wire.ts';
import { writeOpenaiError } from '../write-openai-error.ts';
import { promptOf } from './prompt-of.ts';
import { openaiCompletionsQuirks } from './quirks.ts';
import { readMessage } from './read-message.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader } from './read-stream.ts';
import { wireId } from './types.ts';
import { writeMessage } from './write-message.ts';
import { writeRequest } from './write-request.ts';
import { createStreamWriter } from './write-stream.ts';

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
  createStreamReader,
  readMessage,
  readError,
  models: openaiModels,
};
