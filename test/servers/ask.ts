/** What is asked of the gateway, in words that every API has. */
export interface Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly text: string;
  readonly maxTokens?: number;
  /** An image beside the text, as a data address. */
  readonly image?: string;
}

/** What a client reads. */
export interface Told {
  readonly status: number;
  readonly text: string;
  /** Whether the answer was cut at its longest. */
  readonly isCut: boolean;
  /** The words of an error, in whatever form; empty where all went well. */
  readonly error: string;
  /** The whole body, as it came. */
  readonly body: string;
}

interface Api {
  readonly path: string;
  readonly write: (asked: Asked) => object;
  /** The text of a whole body, or of one event of a stream; anything else where it has none. */
  readonly textOf: (value: unknown, stream: boolean) => unknown;
  readonly isCut: (value: unknown) => boolean;
}

/** What is in a value at that path; undefined where nothing does. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => Object(inner)[key], value);
}

// The least that Responses takes.
const longest = (asked: Asked) => asked.maxTokens ?? 16;

/** Every API that clients speak, by the id of its wire. */
export const apis: Readonly<Record<string, Api>> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    write: (asked) => ({
      messages: [
        {
          role: 'user',
          content:
            asked.image === undefined
              ? asked.text
              : [
                  { type: 'text', text: asked.text },
                  { type: 'image_url', image_url: { url: asked.image } },
                ],
        },
      ],
      max_tokens: longest(asked),
      temperature: 0,
    }),
    textOf: (value, stream) => at(value, 'choices', 0, stream ? 'delta' : 'message', 'content'),
    isCut: (value) => at(value, 'choices', 0, 'finish_reason') === 'length',
  },
  'openai-responses': {
    path: '/v1/responses',
    write: (asked) => ({ input: asked.text, max_output_tokens: longest(asked), temperature: 0 }),
    textOf: (value, stream) =>
      stream
        ? at(value, 'type') === 'response.output_text.delta' && at(value, 'delta')
        : at(value, 'output', 0, 'content', 0, 'text'),
    isCut: (value) => at(at(value, 'response') ?? value, 'incomplete_details', 'reason') === 'max_output_tokens',
  },
  'anthropic-messages': {
    path: '/v1/messages',
    write: (asked) => ({
      messages: [{ role: 'user', content: asked.text }],
      max_tokens: longest(asked),
      temperature: 0,
    }),
    textOf: (value, stream) => at(value, ...(stream ? ['delta', 'text'] : ['content', 0, 'text'])),
    isCut: (value) => at(at(value, 'delta') ?? value, 'stop_reason') === 'max_tokens',
  },
  'ollama-chat': {
    path: '/api/chat',
    write: (asked) => ({
      messages: [{ role: 'user', content: asked.text }],
      options: { num_predict: longest(asked), temperature: 0 },
    }),
    textOf: (value) => at(value, 'message', 'content'),
    isCut: (value) => at(value, 'done_reason') === 'length',
  },
};

/** Asks over one of the APIs, and reads the answer as its clients do. */
export async function ask(url: string, api: string, asked: Asked): Promise<Told> {
  const { path, write, textOf, isCut } = apis[api] ?? unknownApi(api);
  const { model, stream } = asked;
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, ...write(asked) }),
  });
  const body = await answer.text();
  const values = answer.ok && stream ? valuesIn(body) : [JSON.parse(body)];
  const texts = values.map((value) => textOf(value, stream)).filter((text) => typeof text === 'string');
  const error = values.map((value) => at(value, 'error') ?? at(value, 'response', 'error')).find((each) => each);
  return {
    status: answer.status,
    text: texts.join(''),
    isCut: values.some(isCut),
    error: error === undefined ? '' : JSON.stringify(error),
    body,
  };
}

function unknownApi(api: string): never {
  throw new Error(`There is no API ${api}.`);
}

/** The events of a stream of either framing. */
function valuesIn(body: string): readonly unknown[] {
  return body
    .split('\n')
    .map((line) => (line.startsWith('data: ') ? line.slice('data: '.length) : line))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
