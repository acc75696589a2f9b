import { afterAll, beforeAll, expect, it } from 'vitest';
import { callApis, formOf } from './call-apis.ts';
import { ajv, fitting, questions, smallTalk, tools, word } from './questions.ts';
import { type HeldModel, report, startHeldModel } from './start-held-model.ts';

let held: HeldModel;

beforeAll(async () => {
  held = await startHeldModel();
});

afterAll(() => held?.stop());

it('as a choice, the first words decide: what needs no tool is mostly answered, and what does is called', async () => {
  const choice = { model: 'choice/smollm2', choice: 'auto', more: { max_tokens: 40 } };
  let answered = 0;
  for (const question of smallTalk) {
    const { calls, text: said } = await held.ask(question, choice);
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
    const { calls } = await held.ask(question.text, { ...choice, stream: true });
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
    const got = await held.ask(question, { api, model, stream, choice });
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
      const got = await held.ask(question, { api, model, given, choice: 'auto', stream, more });
      const told = `${model} ${api}: ${JSON.stringify(got)}`;
      called += got.calls.length;
      if (got.calls.length > 0) expect(got.calls.every(fitting), told).toBe(true);
      else expect(isWord(JSON.parse(got.text)), told).toBe(true);
      expect(got.warnings, told).toBe('');
    }
  }
  expect(called).toBeGreaterThan(0);
});
