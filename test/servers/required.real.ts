import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApis } from './call-apis.ts';
import { fitting, isRight, questions } from './questions.ts';
import { type HeldModel, report, startHeldModel } from './start-held-model.ts';

let held: HeldModel;

beforeAll(async () => {
  held = await startHeldModel();
});

afterAll(() => held?.stop());

it('where a call is required, each reply is one that fits, and most are right; the same model only taught calls nothing', async () => {
  const apis = Object.keys(callApis);
  let right = 0;
  for (const [at, question] of questions.entries()) {
    // Each API in turn, and each of them both ways.
    const [api, stream] = [apis[at % apis.length] ?? '', Math.floor(at / apis.length) % 2 === 1];
    const { calls } = await held.ask(question.text, { api, stream });
    const told = `${question.text} ${api} ${stream ? 'streamed' : 'whole'}: ${JSON.stringify(calls)}`;
    expect(calls.length, told).toBeGreaterThan(0);
    expect(calls.every(fitting), told).toBe(true);
    if (isRight(question, calls[0])) right += 1;
  }
  report(`required: ${right} of ${questions.length} right`);
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(right / questions.length).toBeGreaterThanOrEqual(0.6);
  for (const { text: question } of questions.filter((_, at) => at % 16 === 0)) {
    const { calls, warnings } = await held.ask(question, { model: 'off/smollm2', more: { max_tokens: 20 } });
    expect(calls, question).toEqual([]);
    expect(warnings).toContain('call-missing');
  }
});

describe.each(Object.keys(callApis))('%s', (api) => {
  it.each([false, true])(
    'a named tool is the one that is called, whatever the question is; streamed: %s',
    async (stream) => {
      const { calls } = await held.ask('Set a timer for 20 minutes.', { api, choice: 'translate_word', stream });
      expect(calls.map(({ name }) => name)).toContain('translate_word');
      expect(calls.every((call) => call.name === 'translate_word' && fitting(call))).toBe(true);
    },
  );
});
