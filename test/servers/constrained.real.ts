import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { askForCall, callApis, formOf } from './call-apis.ts';
import { ajv, fitting, isRight, questions, smallTalk, tools, word } from './questions.ts';
import { type RealServer, startLlama } from './start-servers.ts';

// A model of 135M parameters that calls no tool by itself, and a server that is told which texts it may write.

let server: RealServer;
let gateway: TestGateway;

beforeAll(async () => {
  server = await startLlama({ window: 4096, tools: false });
  // What server it is, which the list tells, is known before anything is asked.
  const discovery = { wait: 30_000 };
  const of = (rule: object) => ({ wire: 'openai-chat', baseUrl: `${server.url}/v1`, anyModel: rule, discovery });
  // As a server that takes a schema only, and of which nobody knows that it is llama.cpp.
  const unknown = { discovery: { enabled: false }, quirks: { holdsSchemas: true } };
  const upstreams = {
    held: of({}),
    single: of({ policy: { maxCalls: 1 } }),
    choice: of({ constrainCalls: 'choice' }),
    off: of({ constrainCalls: 'off' }),
    schema: { ...of({ toolCalling: 'text', constrainCalls: 'choice' }), ...unknown },
  };
  gateway = await startTestGateway({ config: { upstreams } });
  await fetch(`${gateway.url}/v1/models`);
});

afterAll(async () => {
  await gateway?.close();
  await server?.stop();
});

interface Asking {
  readonly api?: string;
  readonly model?: string;
  /** Default: all. */
  readonly given?: typeof tools;
  readonly choice?: string;
  readonly stream?: boolean;
  readonly more?: Readonly<Record<string, unknown>>;
}

const askOf = (question: string, asking: Asking = {}) => {
  const { api = 'openai-chat', model = 'held/smollm2', choice = 'required', stream = false, more = {} } = asking;
  return askForCall(gateway.url, api, { model, question, tools: asking.given ?? tools, choice, stream, more });
};

const report = (line: string) => process.stdout.write(`${line}\n`);

it('where a call is required, each reply is one that fits, and most are right; the same model only taught calls nothing', async () => {
  const apis = Object.keys(callApis);
  let right = 0;
  for (const [at, question] of questions.entries()) {
    // Each API in turn, and each of them both ways.
    const [api, stream] = [apis[at % apis.length] ?? '', Math.floor(at / apis.length) % 2 === 1];
    const { calls } = await askOf(question.text, { api, stream });
    const told = `${question.text} ${api} ${stream ? 'streamed' : 'whole'}: ${JSON.stringify(calls)}`;
    expect(calls.length, told).toBeGreaterThan(0);
    expect(calls.every(fitting), told).toBe(true);
    if (isRight(question, calls[0])) right += 1;
  }
  report(`required: ${right} of ${questions.length} right`);
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(right / questions.length).toBeGreaterThanOrEqual(0.6);
  for (const { text: question } of questions.filter((_, at) => at % 16 === 0)) {
    const { calls, warnings } = await askOf(question, { model: 'off/smollm2', more: { max_tokens: 20 } });
    expect(calls, question).toEqual([]);
    expect(warnings).toContain('call-missing');
  }
});

describe.each(Object.keys(callApis))('%s', (api) => {
  it.each([false, true])(
    'a named tool is the one that is called, whatever the question is; streamed: %s',
    async (stream) => {
      const { calls } = await askOf('Set a timer for 20 minutes.', { api, choice: 'translate_word', stream });
      expect(calls.map(({ name }) => name)).toContain('translate_word');
      expect(calls.every((call) => call.name === 'translate_word' && fitting(call))).toBe(true);
    },
  );
});

it('as a choice, the first words decide: what needs no tool is mostly answered, and what does is called', async () => {
  const choice = { model: 'choice/smollm2', choice: 'auto', more: { max_tokens: 40 } };
  let answered = 0;
  for (const question of smallTalk) {
    const { calls, text: said } = await askOf(question, choice);
    expect(calls.every(fitting), question).toBe(true);
    if (calls.length === 0) {
      answered += 1;
      expect(said, question).not.toContain('answer>');
      expect(said, question).not.toBe('');
    }
  }
  const needing = questions.filter((_, at) => at % 5 === 0);
  let called = 0;
  for (const question of needing) {
    const { calls } = await askOf(question.text, { ...choice, stream: true });
    if (calls.length > 0 && calls.every(fitting)) called += 1;
  }
  report(`choice: ${answered} of ${smallTalk.length} answered, ${called} of ${needing.length} called`);
  expect(smallTalk.length).toBeGreaterThanOrEqual(20);
  expect(answered + called).toBeGreaterThan((smallTalk.length + needing.length) / 2);
});

it('by a schema alone, as by a grammar: a call that fits, or an answer; and a call where one is required', async () => {
  const model = 'schema/smollm2';
  for (const [at, api] of Object.keys(callApis).entries()) {
    // Two APIs need a call, and two may answer; one of each streamed. What is taught changes once: the prompt is read anew then.
    const stream = at % 2 === 1;
    const choice = at < 2 ? 'required' : 'auto';
    const question = choice === 'auto' ? 'Thank you very much!' : 'Set a timer for 10 minutes.';
    const got = await askOf(question, { api, model, stream, choice });
    const told = `${api}: ${JSON.stringify(got)}`;
    expect(got.calls.every(fitting), told).toBe(true);
    expect(got.calls.length > 0 || (choice === 'auto' && got.text !== ''), told).toBe(true);
    expect(got.text, told).not.toContain('"answer"');
  }
});

it('with a form of the answer beside the tools, the reply over each API is a call or fits it', async () => {
  const isWord = ajv.compile(word);
  const given = tools.filter(({ name }) => name === 'set_timer');
  let called = 0;
  for (const [by, model] of ['single/smollm2', 'schema/smollm2'].entries()) {
    for (const [at, api] of Object.keys(callApis).entries()) {
      // Each API is asked streamed by one of them, and whole by the other.
      const stream = (at + by) % 2 === 1;
      const question = at < 2 ? 'Say hello.' : 'Set a timer for 10 minutes.';
      const more = formOf[api]?.(word) ?? {};
      const got = await askOf(question, { api, model, given, choice: 'auto', stream, more });
      const told = `${model} ${api}: ${JSON.stringify(got)}`;
      called += got.calls.length;
      if (got.calls.length > 0) expect(got.calls.every(fitting), told).toBe(true);
      else expect(isWord(JSON.parse(got.text)), told).toBe(true);
      expect(got.warnings, told).toBe('');
    }
  }
  expect(called).toBeGreaterThan(0);
});
