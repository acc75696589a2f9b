import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { at } from './ask.ts';
import { askForCall, callApis, type ReadAnswer, type Tool } from './call-apis.ts';
import { fitting, isRight, plainQuestions, type Question, questions, smallTalk, tools } from './questions.ts';
import { type RealServer, startLlama, startOllama } from './start-servers.ts';

// The table of docs/no-calls.md: what a model of 135M parameters does that calls no tool by itself, where its server is told what it may
// write. It takes minutes, most of them with an Ollama that has no vector instructions. DRAGOMAN_SHOW=1 prints each answer.

let llama: RealServer;
let ollama: RealServer;
let gateway: TestGateway;

beforeAll(async () => {
  llama = await startLlama({ window: 8192, tools: false });
  ollama = await startOllama({ window: 4096 });
  const grammar = { baseUrl: `${llama.url}/v1`, wire: 'openai-chat', discovery: { wait: 30_000 } };
  // As a server that takes a schema only, and of which nobody knows that it is llama.cpp.
  const schema = { ...grammar, discovery: { enabled: false }, quirks: { holdsSchemas: true } };
  const own = { baseUrl: ollama.url, wire: 'ollama-chat', discovery: { wait: 30_000 } };
  const anyModel = { toolCalling: { dialect: 'hermes' }, constrainCalls: 'choice' };
  const upstreams = {
    grammar: { ...grammar, anyModel },
    // The same prompt, and no grammar.
    off: { ...grammar, anyModel: { ...anyModel, constrainCalls: 'off' } },
    schema: { ...schema, anyModel },
    ollama: { ...own, anyModel },
  };
  gateway = await startTestGateway({ config: { upstreams } });
  await fetch(`${gateway.url}/v1/models`);
});

afterAll(async () => {
  await gateway?.close();
  await Promise.all([llama?.stop(), ollama?.stop()]);
});

const apis = Object.keys(callApis);
const report = (line: string) => process.stdout.write(`${line}\n`);

/** Each question in the next API, every other time streamed. */
async function askAll<Asked extends { readonly text: string }>(all: readonly Asked[], asking: Asking) {
  const { model, choice = 'required', given = tools } = asking;
  const asked = [];
  for (const [place, question] of all.entries()) {
    const [api, stream] = [apis[place % apis.length] ?? '', Math.floor(place / apis.length) % 2 === 1];
    const answer = await askForCall(gateway.url, api, { model, question: question.text, tools: given, choice, stream });
    if (process.env.DRAGOMAN_SHOW !== undefined) report(JSON.stringify([question.text, answer]));
    asked.push({ question, ...answer });
  }
  return asked;
}

interface Asking {
  readonly model: string;
  readonly choice?: string;
  readonly given?: readonly Tool[];
}

const isCalled = ({ calls }: ReadAnswer) => calls.length > 0 && calls.every(fitting);
const isRightFor = ({ question, calls: [first] }: ReadAnswer & { readonly question: Question }) =>
  isRight(question, first);
const count = <Each>(all: readonly Each[], is: (each: Each) => boolean) => `${all.filter(is).length} of ${all.length}`;

it('questions as people ask them', async () => {
  const asked = await askAll(plainQuestions, { model: 'grammar/smollm2' });
  report(`llama.cpp, grammar: plainly asked: ${count(asked, isCalled)} fit, ${count(asked, isRightFor)} right`);
  expect(asked.every(isCalled)).toBe(true);
});

it('parameters that no tool has, where schemas do not exclude them', async () => {
  const given = tools.map(({ schema, ...tool }) => {
    const { additionalProperties: _, ...open }: Record<string, unknown> = { ...schema };
    return { ...tool, schema: open };
  });
  const asked = await askAll(questions, { model: 'grammar/smollm2', given });
  const known = new Map(tools.map(({ name, schema }) => [name, Object.keys(Object(at(schema, 'properties')))]));
  const isMadeUp = ({ calls }: ReadAnswer) =>
    calls.some((call) =>
      Object.keys(Object(call.arguments)).some((key) => !known.get(String(call.name))?.includes(key)),
    );
  report(`llama.cpp, grammar: made up parameters: ${count(asked, isMadeUp)}, ${count(asked, isRightFor)} right`);
  expect(asked.every(({ calls }) => calls.length > 0)).toBe(true);
});

it('the first token, with a grammar and without', async () => {
  for (const size of [2, 30, 60]) {
    const given = Array.from({ length: size }, (_, place) => {
      const tool = tools[place % tools.length];
      return { name: `${tool?.name}_${place}`, description: String(tool?.description), schema: Object(tool?.schema) };
    });
    // One token is the first, and the prompt has been read but for the question.
    const one = async (model: string, round: number) => {
      const question = `Set a timer for ${round} minutes.`;
      const from = performance.now();
      await askForCall(gateway.url, 'openai-chat', {
        ...{ model, question, tools: given, choice: 'required', stream: false },
        more: { max_tokens: 1 },
      });
      return performance.now() - from;
    };
    await one('off/smollm2', 1);
    const first = await one('grammar/smollm2', 2);
    const [held, free]: number[][] = [[], []];
    for (let round = 3; round < 12; round += 1) {
      free?.push(await one('off/smollm2', 2 * round));
      held?.push(await one('grammar/smollm2', 2 * round + 1));
    }
    const told = [held, free].map((times = []) => times.sort((a, b) => a - b)[4]?.toFixed(0));
    report(
      `first token, ${size} tools: ${told[0]} ms with a grammar (${first.toFixed(0)} ms at first), ${told[1]} ms without`,
    );
  }
});

describe.each([
  ['llama.cpp, grammar', 'grammar/smollm2'],
  ['llama.cpp, schema', 'schema/smollm2'],
  ['Ollama, schema', 'ollama/plain'],
])('%s', (server, model) => {
  it('a call that is needed', async () => {
    const asked = await askAll(questions, { model });
    report(`${server}: needed: ${count(asked, isCalled)} fit, ${count(asked, isRightFor)} right`);
    expect(asked.every(isCalled)).toBe(true);
  });

  it('a named tool', async () => {
    const name = 'translate_word';
    const isNamed = (answer: ReadAnswer) => isCalled(answer) && answer.calls.every((call) => call.name === name);
    const asked = await askAll(questions.slice(0, 8), { model, choice: name });
    report(`${server}: named: ${count(asked, isNamed)}`);
    expect(asked.every(isNamed)).toBe(true);
  });

  it('a call or an answer', async () => {
    const idle = await askAll(
      smallTalk.map((text) => ({ text })),
      { model, choice: 'auto' },
    );
    const needing = await askAll(
      questions.filter((_, at) => at % 2 === 0),
      { model, choice: 'auto' },
    );
    const answered = count(idle, ({ calls, text }) => calls.length === 0 && text !== '');
    report(
      `${server}: choice: ${answered} answered, ${count(needing, isCalled)} called, ${count(needing, isRightFor)} right`,
    );
    expect([...idle, ...needing].every(({ calls }) => calls.every(fitting))).toBe(true);
  });
});
