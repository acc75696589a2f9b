import { expect } from 'vitest';
import type { TestGateway } from './start-test-gateway.ts';

/** A call in hermes. */
export const call = (path: string, name = 'read') =>
  `<tool_call>\n{"name": "${name}", "arguments": {"path": "${path}"}}\n</tool_call>`;
const parameters = { type: 'object', properties: { path: { type: 'string' } } };
export const openaiTools = ['read', 'list'].map((name) => ({ type: 'function', function: { name, parameters } }));
export const messages = [{ role: 'user', content: 'Go on.' }];

/** The tools that a client may demand, and how each API says so. */
export const choices = ['none', 'auto', 'required', 'named', 'one', 'required-one', 'named-one'] as const;
export type Choice = (typeof choices)[number];

export interface Wire {
  readonly path: string;
  /** How it asks for an answer of this schema. */
  readonly format: (schema: object) => object;
  /** What it can say, where that is not everything. */
  readonly choices?: readonly Choice[];
  readonly body: (choice: Choice) => object;
}

/** Choices that allow only one call. */
const single: readonly Choice[] = ['one', 'required-one', 'named-one'];

/** As OpenAI's APIs say it, which name a tool in two ways. */
const openaiChoice = (choice: Choice, named: object) => {
  const only = single.includes(choice) ? { parallel_tool_calls: false } : {};
  if (choice === 'one') return only;
  return { tool_choice: choice.startsWith('named') ? named : choice.replace('-one', ''), ...only };
};

const chatName = { type: 'function', function: { name: 'read' } };

const anthropicChoices: Readonly<Record<Choice, object>> = {
  none: { type: 'none' },
  auto: { type: 'auto' },
  required: { type: 'any' },
  named: { type: 'tool', name: 'read' },
  one: { type: 'auto', disable_parallel_tool_use: true },
  'required-one': { type: 'any', disable_parallel_tool_use: true },
  'named-one': { type: 'tool', name: 'read', disable_parallel_tool_use: true },
};

export const chat: Wire = {
  path: '/v1/chat/completions',
  format: (schema) => ({ response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } }),
  body: (choice) => ({ messages, tools: openaiTools, ...openaiChoice(choice, chatName) }),
};

/** The client wires that know tools, by their ids. */
export const wires: Readonly<Record<string, Wire>> = {
  'openai-chat': chat,
  'openai-responses': {
    path: '/v1/responses',
    format: (schema) => ({ text: { format: { type: 'json_schema', schema, name: 'n', strict: false } } }),
    body: (choice) => ({
      input: 'Go on.',
      store: false,
      tools: openaiTools.map(({ function: tool }) => ({ type: 'function', ...tool, strict: false })),
      ...openaiChoice(choice, { type: 'function', name: 'read' }),
    }),
  },
  'anthropic-messages': {
    path: '/v1/messages',
    format: (schema) => ({ output_config: { format: { type: 'json_schema', schema } } }),
    body: (choice) => ({
      max_tokens: 100,
      messages,
      tools: openaiTools.map(({ function: { name } }) => ({ name, input_schema: parameters })),
      tool_choice: anthropicChoices[choice],
    }),
  },
  'ollama-chat': {
    path: '/api/chat',
    format: (schema) => ({ format: schema }),
    choices: ['none', 'auto', 'required', 'named'],
    body: (choice) => ({ messages, tools: openaiTools, ...openaiChoice(choice, chatName) }),
  },
};

/** The same wire, asking for an answer that is an object with a whole number `n`. */
export function formed(wire: Wire): Wire {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  return { ...wire, body: (choice) => ({ ...wire.body(choice), ...wire.format(schema) }) };
}

/** All texts of an answer, or of the deltas of a stream. */
export function textIn(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(textIn).join('');
  const { choices, output, content, message, delta, type } = Object(answer);
  if (choices !== undefined) return choices.map((each: object) => textIn({ ...each, role: 'choice' })).join('');
  // A stream of responses says every text again when it is whole.
  if (typeof type === 'string' && type.startsWith('response.')) return type.endsWith('text.delta') ? delta : '';
  if (output !== undefined) return textIn(output);
  if (Array.isArray(content)) return textIn(content);
  const inner = Object(message ?? delta ?? answer);
  return [inner.content, inner.text].find((each) => typeof each === 'string') ?? '';
}

/** The paths in the arguments of all calls of an answer or a stream in any of these APIs; in a stream they come in pieces. */
export function pathsIn(value: unknown): readonly string[] {
  const given = argumentsIn(value).join('');
  return [...given.matchAll(/\{\s*"path":\s*"([^"]*)"/g)].map(([, path = '']) => path);
}

function argumentsIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return ['arguments', 'partial_json', 'delta'].includes(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  // The Responses API has one word for pieces of text and of arguments.
  if ('type' in value && value.type === 'response.output_text.delta') return [];
  if ('path' in value && typeof value.path === 'string') return [JSON.stringify({ path: value.path })];
  return Object.entries(value).flatMap(([each, inner]) => argumentsIn(inner, each));
}

/** An answer, or the frames of a stream. */
export async function ask(
  gateway: TestGateway,
  { path, body }: Wire,
  { choice, stream = false }: { readonly choice: Choice; readonly stream?: boolean },
): Promise<unknown> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'up/m', stream, ...body(choice) }),
  });
  expect(response.status).toBe(200);
  if (!stream) return await response.json();
  const lines = (await response.text()).split('\n').map((line) => line.replace('data: ', ''));
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
