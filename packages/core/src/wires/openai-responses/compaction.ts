import { collect } from '../../chat/collect.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { DragomanError } from '../../errors.ts';
import { readBody } from '../read-values.ts';
import type { ClientWire } from '../wire.ts';
import { writeError } from './errors.ts';
import { type ReadRequestOptions, readRequest } from './read-request.ts';
import { sealText } from './sealed-text.ts';
import { wireId } from './types.ts';
import { writeUsage } from './write-response.ts';
import { createStreamWriter } from './write-stream.ts';

const order =
  'Summarise the conversation above for whoever goes on with it and has nothing but your summary. Keep the goal, ' +
  'decisions with their reasons, names, paths, values and results that are still needed, and what is left to do. ' +
  'Answer with the summary alone.';

const heading = 'Summary of the conversation so far:\n\n';

/**
 * `POST /responses/compact` as a wire of its own: the conversation goes to the model with the order to summarise it, and
 * what it says becomes a `compaction` item, which as input stands for all that it sums up.
 */
export function createOpenaiResponsesCompaction(options: ReadRequestOptions = {}): ClientWire {
  return {
    id: wireId,
    framing: 'sse',
    readRequest: (body) => readCompaction(body, options),
    createStreamWriter,
    writeMessage: (events, { replyId, created }) => {
      const { text, usage } = collect(events);
      if (text.trim() === '') throw new DragomanError('upstream-unreadable', 'The model wrote no summary. Ask again.');
      return {
        id: `resp_${replyId}`,
        object: 'response.compaction',
        created_at: created,
        output: [{ type: 'compaction', id: `cmp_${replyId}`, encrypted_content: sealText('summary', heading + text) }],
        usage: writeUsage(usage ?? { inputTokens: 0, outputTokens: 0, source: 'counted' }),
      };
    },
    writeError,
    keepAlive: ': keepalive\n\n',
  };
}

/** Tools, streams and sampling have no place here; the rest is read as any request. */
function readCompaction(given: unknown, options: ReadRequestOptions): ChatRequest {
  const body = readBody(given);
  const { model, input, previous_response_id, instructions } = body;
  const request = readRequest({ model, input, previous_response_id, instructions }, options);
  return { ...request, messages: [...request.messages, { role: 'user', content: [{ type: 'text', text: order }] }] };
}
