/** What a client of one API makes of a streamed answer. */
export interface Reading {
  readonly text: string;
  /** It takes the answer for a good one. */
  readonly succeeded: boolean;
  /** The messages of the errors that it was told. */
  readonly errors: readonly string[];
}

/** A client of one API. */
export interface TestClient {
  readonly path: string;
  readonly body: (model: string, stream: boolean) => object;
  readonly readStream: (stream: string) => Reading;
  /** The message of an error answer; undefined where the body has another shape. */
  readonly readError: (body: unknown) => string | undefined;
  /** What it takes for a sign of life and no more. */
  readonly keepAlive: string;
}

interface Fields {
  readonly [field: string]: unknown;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);
const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};
const dataIn = (stream: string): readonly unknown[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line): unknown => JSON.parse(line.slice('data: '.length)));
const linesIn = (stream: string): readonly unknown[] =>
  stream
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
const messagesIn = (frames: readonly unknown[], ...path: readonly (string | number)[]) =>
  frames.map((frame) => textAt(frame, ...path)).filter((message) => message !== '');

const messages = [{ role: 'user', content: 'Read a.txt.' }];
const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const openaiTool = { type: 'function', function: { name: 'read', parameters } };

/** By the id of the wire. */
export const clients: Readonly<Record<string, TestClient>> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: (model, stream) => ({ model, stream, messages, tools: [openaiTool] }),
    readStream: (stream) => {
      const frames = dataIn(stream);
      const errors = messagesIn(frames, 'error', 'message');
      const finish = frames.some((frame) =>
        ['stop', 'tool_calls'].includes(textAt(frame, 'choices', 0, 'finish_reason')),
      );
      const text = frames.map((frame) => textAt(frame, 'choices', 0, 'delta', 'content')).join('');
      return { text, succeeded: finish && errors.length === 0, errors };
    },
    readError: (body) => (at(body, 'error', 'type') === undefined ? undefined : textAt(body, 'error', 'message')),
    keepAlive: ': keep',
  },
  'openai-responses': {
    path: '/v1/responses',
    body: (model, stream) => ({
      ...{ model, stream, store: false, input: 'Read a.txt.' },
      tools: [{ type: 'function', name: 'read', parameters, strict: false }],
    }),
    readStream: (stream) => {
      const frames = dataIn(stream);
      const errors = messagesIn(frames, 'response', 'error', 'message');
      const deltas = frames.filter((frame) => at(frame, 'type') === 'response.output_text.delta');
      const succeeded = frames.some((frame) => at(frame, 'type') === 'response.completed');
      return { text: deltas.map((frame) => textAt(frame, 'delta')).join(''), succeeded, errors };
    },
    readError: (body) => (at(body, 'error', 'type') === undefined ? undefined : textAt(body, 'error', 'message')),
    keepAlive: ': keep',
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: (model, stream) => ({
      ...{ model, stream, max_tokens: 100, messages },
      tools: [{ name: 'read', input_schema: parameters }],
    }),
    readStream: (stream) => {
      const frames = dataIn(stream);
      const errors = messagesIn(
        frames.filter((frame) => at(frame, 'type') === 'error'),
        ...['error', 'message'],
      );
      const succeeded = frames.some((frame) => at(frame, 'type') === 'message_stop');
      return { text: frames.map((frame) => textAt(frame, 'delta', 'text')).join(''), succeeded, errors };
    },
    readError: (body) => (at(body, 'type') === 'error' ? textAt(body, 'error', 'message') : undefined),
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  },
  'ollama-chat': {
    path: '/api/chat',
    body: (model, stream) => ({ model, stream, messages, tools: [openaiTool] }),
    readStream: (stream) => {
      const lines = linesIn(stream);
      const text = lines.map((line) => textAt(line, 'message', 'content')).join('');
      return { text, succeeded: lines.some((line) => at(line, 'done') === true), errors: messagesIn(lines, 'error') };
    },
    readError: (body) => (typeof at(body, 'error') === 'string' ? textAt(body, 'error') : undefined),
    keepAlive: '"message":{"role":"assistant","content":""},"done":false}\n',
  },
};
