import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { at } from './ask.ts';
import { type RealServer, startLlama } from './start-servers.ts';

// A model of 135M parameters that calls no tool by itself, and a server that is told which texts it may write.

interface Question {
  readonly text: string;
  readonly tool: string;
  /** What its arguments have to hold, in small letters. */
  readonly holds: string;
}

const text = (description: string) => ({ type: 'string', description });
const toolOf = (name: string, description: string, properties: Record<string, object>) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  },
});

const tools = [
  toolOf('get_weather', 'Gets the weather of a city.', { city: text('The city') }),
  toolOf('play_song', 'Plays a song.', { title: text('The title of the song') }),
  toolOf('translate', 'Translates a word.', {
    word: text('The word'),
    language: { enum: ['french', 'german', 'spanish'] },
  }),
  toolOf('set_timer', 'Sets a timer.', { minutes: { type: 'integer', minimum: 1, maximum: 600 } }),
  toolOf('find_book', 'Finds a book by its author.', { author: text('The author of the book') }),
  toolOf('send_mail', 'Sends a mail to a person.', { to: text('The person'), body: text('What it says') }),
];

const asked = (tool: string, ask: (what: string) => string, ...whats: readonly string[]): readonly Question[] =>
  whats.map((what) => ({ text: ask(what), tool, holds: what.toLowerCase() }));

const cities = ['Oslo', 'Madrid', 'Tokyo', 'Lima', 'Cairo', 'Paris', 'Berlin', 'Rome'] as const;
const questions: readonly Question[] = [
  ...asked('get_weather', (city) => `What is the weather in ${city}?`, ...cities),
  ...asked(
    'play_song',
    (title) => `Play the song ${title}.`,
    'Yesterday',
    'Imagine',
    'Help',
    'Thriller',
    'Hello',
    'Dreams',
  ),
  ...asked(
    'translate',
    (word) => `Translate the word ${word} to French.`,
    'house',
    'dog',
    'bread',
    'water',
    'tree',
    'book',
  ),
  ...asked(
    'set_timer',
    (minutes) => `Set a timer for ${minutes} minutes.`,
    '5',
    '10',
    '15',
    '20',
    '30',
    '45',
    '60',
    '90',
  ),
  ...asked(
    'find_book',
    (author) => `Find a book by the author ${author}.`,
    'Orwell',
    'Tolstoy',
    'Kafka',
    'Woolf',
    'Camus',
    'Borges',
  ),
  ...asked(
    'send_mail',
    (to) => `Send a mail to ${to} that says good morning.`,
    'Anna',
    'Paul',
    'Maria',
    'Peter',
    'Sarah',
    'John',
  ),
];

let server: RealServer;
let gateway: TestGateway;

beforeAll(async () => {
  server = await startLlama({ window: 4096, tools: false });
  const of = (rule: object) => ({ wire: 'openai-chat', baseUrl: `${server.url}/v1`, anyModel: rule });
  const upstreams = { held: of({}), off: of({ constrainCalls: 'off' }) };
  gateway = await startTestGateway({ config: { upstreams } });
  await fetch(`${gateway.url}/v1/models`);
});

afterAll(async () => {
  await gateway?.close();
  await server?.stop();
});

interface Call {
  readonly name: unknown;
  readonly arguments: unknown;
}

/** The calls of a whole answer of Chat Completions. */
async function callsOf(
  content: string,
  { model = 'held/smollm2', ...more }: { readonly model?: string; readonly [field: string]: unknown } = {},
) {
  const body = {
    messages: [{ role: 'user', content }],
    tools,
    tool_choice: 'required',
    temperature: 0,
    max_tokens: 80,
  };
  const answer = await gateway.post({ model, ...body, ...more });
  const calls = at(await answer.json(), 'choices', 0, 'message', 'tool_calls');
  return (Array.isArray(calls) ? calls : []).map((call): Call => {
    return { name: at(call, 'function', 'name'), arguments: JSON.parse(String(at(call, 'function', 'arguments'))) };
  });
}

const isRight = ({ tool, holds }: Question, call: Call | undefined) =>
  call?.name === tool && JSON.stringify(call.arguments).toLowerCase().includes(holds);

it('where a call is owed, each is one that fits, and half are right; only taught, this model calls next to nothing', async () => {
  let right = 0;
  let some = 0;
  for (const question of questions) {
    const calls = await callsOf(question.text, { parallel_tool_calls: false });
    expect(calls.length, question.text).toBeLessThanOrEqual(1);
    if (calls.length > 0) some += 1;
    if (isRight(question, calls[0])) right += 1;
  }
  process.stdout.write(`${questions.length} questions: ${some} calls that fit, ${right} of them right\n`);
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(some / questions.length).toBeGreaterThan(0.8);
  expect(right / questions.length).toBeGreaterThanOrEqual(0.4);
  const taught = await Promise.all(questions.slice(0, 8).map(({ text }) => callsOf(text, { model: 'off/smollm2' })));
  expect(taught.flat().length).toBeLessThan(4);
});

it('a named tool is the one that is called, whatever the question is', async () => {
  const choice = { type: 'function', function: { name: 'translate' } };
  for (const { text } of questions.slice(0, 8)) {
    expect((await callsOf(text, { tool_choice: choice })).map(({ name }) => name)).toEqual(['translate']);
  }
});

it('streamed, the calls are the same', async () => {
  const [question = { text: '' }] = questions;
  const [whole] = await callsOf(question.text, { parallel_tool_calls: false });
  const answer = await gateway.post({
    model: 'held/smollm2',
    messages: [{ role: 'user', content: question.text }],
    ...{ tools, tool_choice: 'required', parallel_tool_calls: false, temperature: 0, max_tokens: 80, stream: true },
  });
  const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const deltas = events.map((line) =>
    at(JSON.parse(line.slice(6)), 'choices', 0, 'delta', 'tool_calls', 0, 'function'),
  );
  expect(deltas.map((delta) => at(delta ?? {}, 'name') ?? '').join('')).toBe(whole?.name);
  expect(JSON.parse(deltas.map((delta) => at(delta ?? {}, 'arguments') ?? '').join(''))).toEqual(whole?.arguments);
});
