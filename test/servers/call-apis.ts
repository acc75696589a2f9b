import { request } from 'node:http';
import { at } from './ask.ts';

/** A call as a client reads it. */
export interface ReadCall {
  readonly name: unknown;
  readonly arguments: unknown;
}

/** What a client reads of an answer that may call tools. */
export interface ReadAnswer {
  readonly calls: readonly ReadCall[];
  readonly text: string;
  readonly reasoning: string;
  /** Codes of warnings with their counts, as the header tells them, or what comes after a stream. */
  readonly warnings: string;
}

/** What is asked, in words that every API has. */
export interface AskedCall {
  readonly model: string;
  readonly question: string;
  readonly tools: readonly Tool[];
  /** `auto`, `none`, `required`, or the name of a tool. */
  readonly choice: string;
  readonly stream: boolean;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly strict?: boolean;
}

interface CallApi {
  readonly path: string;
  readonly write: (asked: AskedCall) => object;
  /** Calls of a whole body: names with arguments as text or as a value. */
  readonly whole: (body: unknown) => readonly ReadCall[];
  /** The pieces of calls in one event of a stream, in order: a name begins one. */
  readonly pieces: (event: unknown) => readonly Piece[];
  readonly text: (value: unknown) => unknown;
  readonly reasoning: (value: unknown) => unknown;
}

interface Piece {
  readonly name?: unknown;
  readonly text?: unknown;
  /** Arguments that come as a value. */
  readonly value?: unknown;
}

const longest = 100;
/** Milliseconds without a byte. */
const longestWait = 300_000;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const functions = ({ tools }: AskedCall) =>
  tools.map(({ schema, ...tool }) => ({ type: 'function', function: { ...tool, parameters: schema } }));
const isWord = (choice: string) => ['auto', 'none', 'required'].includes(choice);

const chatCalls = (calls: unknown) =>
  list(calls).map((call) => ({ name: at(call, 'function', 'name'), arguments: at(call, 'function', 'arguments') }));

/** The four APIs of clients, by the ids of their wires. */
export const callApis: Readonly<Record<string, CallApi>> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    write: (asked) => ({
      messages: [{ role: 'user', content: asked.question }],
      tools: functions(asked),
      tool_choice: isWord(asked.choice) ? asked.choice : { type: 'function', function: { name: asked.choice } },
      parallel_tool_calls: false,
      max_tokens: longest,
      temperature: 0,
    }),
    whole: (body) => chatCalls(at(body, 'choices', 0, 'message', 'tool_calls')),
    pieces: (event) =>
      list(at(event, 'choices', 0, 'delta', 'tool_calls')).map((call) => ({
        name: at(call, 'function', 'name'),
        text: at(call, 'function', 'arguments'),
      })),
    text: (value) => at(value, 'choices', 0, 'message', 'content') ?? at(value, 'choices', 0, 'delta', 'content'),
    reasoning: (value) =>
      at(value, 'choices', 0, 'message', 'reasoning_content') ?? at(value, 'choices', 0, 'delta', 'reasoning_content'),
  },
  'openai-responses': {
    path: '/v1/responses',
    write: (asked) => ({
      input: asked.question,
      tools: asked.tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, parameters: schema })),
      tool_choice: isWord(asked.choice) ? asked.choice : { type: 'function', name: asked.choice },
      parallel_tool_calls: false,
      max_output_tokens: longest,
      temperature: 0,
    }),
    whole: (body) =>
      list(at(body, 'output')).flatMap((item) =>
        at(item, 'type') === 'function_call' ? [{ name: at(item, 'name'), arguments: at(item, 'arguments') }] : [],
      ),
    pieces: (event) => {
      if (at(event, 'type') === 'response.output_item.added' && at(event, 'item', 'type') === 'function_call')
        return [{ name: at(event, 'item', 'name') }];
      return at(event, 'type') === 'response.function_call_arguments.delta' ? [{ text: at(event, 'delta') }] : [];
    },
    text: (value) =>
      at(value, 'type') === 'response.output_text.delta'
        ? at(value, 'delta')
        : list(at(value, 'output')).flatMap((item) => list(at(item, 'content')).map((part) => at(part, 'text')))[0],
    reasoning: () => undefined,
  },
  'anthropic-messages': {
    path: '/v1/messages',
    write: (asked) => ({
      messages: [{ role: 'user', content: asked.question }],
      tools: asked.tools.map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })),
      tool_choice: {
        ...({ auto: { type: 'auto' }, none: { type: 'none' }, required: { type: 'any' } }[asked.choice] ?? {
          type: 'tool',
          name: asked.choice,
        }),
        ...(asked.choice === 'none' ? {} : { disable_parallel_tool_use: true }),
      },
      max_tokens: longest,
      temperature: 0,
    }),
    whole: (body) =>
      list(at(body, 'content')).flatMap((part) =>
        at(part, 'type') === 'tool_use' ? [{ name: at(part, 'name'), arguments: at(part, 'input') }] : [],
      ),
    pieces: (event) => {
      if (at(event, 'content_block', 'type') === 'tool_use') return [{ name: at(event, 'content_block', 'name') }];
      return at(event, 'delta', 'type') === 'input_json_delta' ? [{ text: at(event, 'delta', 'partial_json') }] : [];
    },
    text: (value) => at(value, 'delta', 'text') ?? at(value, 'content', 0, 'text'),
    reasoning: (value) => at(value, 'delta', 'thinking') ?? at(value, 'content', 0, 'thinking'),
  },
  'ollama-chat': {
    path: '/api/chat',
    write: (asked) => ({
      messages: [{ role: 'user', content: asked.question }],
      tools: functions(asked),
      tool_choice: isWord(asked.choice) ? asked.choice : { type: 'function', function: { name: asked.choice } },
      options: { num_predict: longest, temperature: 0 },
    }),
    whole: (body) => chatCalls(at(body, 'message', 'tool_calls')),
    pieces: (event) =>
      chatCalls(at(event, 'message', 'tool_calls')).map((call) => ({ name: call.name, value: call.arguments })),
    text: (value) => at(value, 'message', 'content'),
    reasoning: (value) => at(value, 'message', 'thinking'),
  },
};

/** How each API asks for an answer that fits a schema. */
export const formOf: Readonly<Record<string, (schema: object) => Readonly<Record<string, unknown>>>> = {
  'openai-chat': (schema) => ({ response_format: { type: 'json_schema', json_schema: { name: 'form', schema } } }),
  'openai-responses': (schema) => ({ text: { format: { type: 'json_schema', name: 'form', schema } } }),
  'anthropic-messages': (schema) => ({ output_config: { format: { type: 'json_schema', schema } } }),
  'ollama-chat': (schema) => ({ format: schema }),
};

/** Asks over one of the APIs and reads the answer as its clients do. Throws for an answer that is an error. */
export async function askForCall(url: string, api: string, asked: AskedCall): Promise<ReadAnswer> {
  const form = callApis[api];
  if (form === undefined) throw new Error(`There is no API ${api}.`);
  const { model, stream, more } = asked;
  const { status, body, warnings } = await post(url + form.path, { model, stream, ...form.write(asked), ...more });
  if (status !== 200) throw new Error(`${api} answers ${status}: ${body}`);
  const values = stream ? eventsIn(body) : [JSON.parse(body)];
  const joined = (read: (value: unknown) => unknown) =>
    values
      .map(read)
      .filter((each) => typeof each === 'string')
      .join('');
  const found = stream ? joinPieces(values.flatMap(form.pieces)) : form.whole(values[0]);
  return {
    calls: found.map(({ name, arguments: given }) => ({ name, arguments: parsedOf(given) })),
    text: joined(form.text),
    reasoning: joined(form.reasoning),
    warnings,
  };
}

/** What comes back, with the warnings: before a stream come those that are known then, and all of them after it, where `fetch` never looks. */
function post(url: string, body: object) {
  return new Promise<{ status: number | undefined; body: string; warnings: string }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers, timeout: longestWait }, (answer) => {
      const name = 'x-dragoman-warnings';
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        const warnings = String(answer.trailers[name] ?? answer.headers[name] ?? '');
        resolve({ status: answer.statusCode, body: text, warnings });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`Nothing came for ${longestWait} ms.`)));
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** The events of a stream of either framing. */
function eventsIn(body: string): readonly unknown[] {
  return body
    .split('\n')
    .map((line) => (line.startsWith('data: ') ? line.slice('data: '.length) : line))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

function joinPieces(pieces: readonly Piece[]): readonly ReadCall[] {
  const calls: { name: unknown; arguments: unknown }[] = [];
  for (const { name, text = '', value } of pieces) {
    if (typeof name === 'string') calls.push({ name, arguments: value ?? '' });
    const last = calls.at(-1);
    if (last !== undefined && typeof last.arguments === 'string') last.arguments += String(text);
  }
  return calls;
}

/** Arguments as a value; those that are no JSON are `undefined`, which fits nothing. */
function parsedOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
