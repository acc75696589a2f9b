import type { ScriptedReply, Step } from '@dragoman/testkit';

/** How servers of one wire write the pieces of a reply. Written without our own writers. */
export interface Spelling {
  readonly contentType: string;
  /** What stands before the first piece. */
  readonly begin: string;
  readonly text: (words: string) => string;
  /** A call whose arguments break off. */
  readonly halfCall: string;
  /** The end of a reply that was one text. */
  readonly end: (words: string) => string;
  /** An error inside a stream. */
  readonly error: (message: string) => string;
  /** The body of an error answer. */
  readonly errorBody: (message: string) => object;
  /** A frame that cannot be read. */
  readonly garbage: string;
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${value.type}\n${data(value)}`;
const line = (value: object) => `${JSON.stringify({ model: 'm', created_at: '2026-11-20T10:00:00Z', ...value })}\n`;
const chunk = (delta: object, reason: string | null = null) =>
  data({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });
const half = '{"path":"a.t';

const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
const responseCall = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'read',
  arguments: '',
  status: 'in_progress',
};
const response = (status: string, fields: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: 'm',
  status,
  output: [],
  ...fields,
});
const wholeItem = (words: string) => ({
  ...item,
  status: 'completed',
  content: [{ type: 'output_text', text: words, annotations: [] }],
});

/** By the id of the wire. */
export const spellings: Readonly<Record<string, Spelling>> = {
  'openai-chat': {
    contentType: 'text/event-stream',
    begin: chunk({ role: 'assistant', content: '' }),
    text: (content) => chunk({ content }),
    halfCall: chunk({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: half } }],
    }),
    end: () => `${chunk({}, 'stop')}data: [DONE]\n\n`,
    error: (message) => data({ error: { message, type: 'server_error' } }),
    errorBody: (message) => ({ error: { message, type: 'server_error', param: null, code: null } }),
    garbage: 'data: {"id":\n\n',
  },
  'openai-responses': {
    contentType: 'text/event-stream',
    begin: named({ type: 'response.created', response: response('in_progress') }),
    text: (delta) =>
      named({ type: 'response.output_item.added', output_index: 0, item }) +
      named({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
    halfCall:
      named({ type: 'response.output_item.added', output_index: 1, item: responseCall }) +
      named({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: half }),
    end: (words) =>
      named({ type: 'response.output_item.done', output_index: 0, item: wholeItem(words) }) +
      named({ type: 'response.completed', response: response('completed', { output: [wholeItem(words)] }) }),
    error: (message) =>
      named({ type: 'response.failed', response: response('failed', { error: { code: 'server_error', message } }) }),
    errorBody: (message) => ({ error: { message, type: 'server_error', param: null, code: null } }),
    garbage: 'event: response.output_text.delta\ndata: {"type":\n\n',
  },
  'anthropic-messages': {
    contentType: 'text/event-stream',
    begin: named({
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    }),
    text: (text) =>
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    halfCall:
      named({ type: 'content_block_stop', index: 0 }) +
      named({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
      }) +
      named({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: half } }),
    end: () =>
      named({ type: 'content_block_stop', index: 0 }) +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }) +
      named({ type: 'message_stop' }),
    error: (message) => named({ type: 'error', error: { type: 'api_error', message } }),
    errorBody: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
    garbage: 'event: content_block_delta\ndata: {"type":\n\n',
  },
  'ollama-chat': {
    contentType: 'application/x-ndjson',
    begin: '',
    text: (content) => line({ message: { role: 'assistant', content }, done: false }),
    // Calls come whole on this wire: what breaks off is the line.
    halfCall:
      '{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{"path":"a.t',
    end: () =>
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        prompt_eval_count: 3,
        eval_count: 2,
      }),
    error: (error) => `${JSON.stringify({ error })}\n`,
    errorBody: (error) => ({ error }),
    garbage: '{"model":\n',
  },
};

/** A streamed reply of these pieces. */
export function streamOf(spelling: Spelling, ...pieces: readonly (string | Step)[]): ScriptedReply {
  const steps = pieces.map((piece): Step => (typeof piece === 'string' ? { text: piece } : piece));
  return { headers: { 'content-type': spelling.contentType }, steps };
}
