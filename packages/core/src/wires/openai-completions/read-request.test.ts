import { describe, expect, it } from 'vitest';
import { errorKindOf } from '../../error-kinds.ts';
import { toDragomanError } from '../../errors.ts';
import { readRequest } from './read-request.ts';

const body = { model: 'm', prompt: 'Once upon' };

function refusal(fields: object): unknown {
  try {
    readRequest({ ...body, ...fields });
  } catch (thrown) {
    const error = toDragomanError(thrown);
    const { code, param, message } = error;
    return { code, param, status: errorKindOf(error).status, message };
  }
  return 'was read';
}

describe('readRequest', () => {
  it('makes one user message of the prompt, byte for byte', () => {
    for (const prompt of ['  \n### User:\nHi\t ', '', ['one'], ['']]) {
      const [text] = [prompt].flat();
      expect(readRequest({ ...body, prompt }).messages).toEqual([
        { role: 'user', content: [{ type: 'text', text }], extra: { 'openai-completions': { prompt: true } } },
      ]);
    }
  });

  it('reads what every wire knows, and lets ride what only this one does', () => {
    const read = readRequest({
      ...body,
      suffix: ' the end',
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      stop: 'END',
      seed: 3,
      presence_penalty: 1,
      frequency_penalty: -1,
      stream: true,
      stream_options: { include_usage: true },
      user: 'u',
      logit_bias: { '5': 1 },
      n: 1,
      best_of: 1,
      echo: false,
      top_k: 4,
    });
    expect(read).toMatchObject({ tools: [], toolChoice: 'auto', stream: true, includeUsage: true, warnings: [] });
    expect(read.sampling).toEqual({
      temperature: 0,
      topP: 0.5,
      maxTokens: 9,
      stop: ['END'],
      seed: 3,
      presencePenalty: 1,
      frequencyPenalty: -1,
    });
    expect(read.extra).toEqual({
      'openai-completions': { suffix: ' the end', user: 'u', logit_bias: { '5': 1 }, top_k: 4 },
    });
  });

  it.each([
    [{ prompt: undefined }, 'bad-request', 'prompt'],
    [{ prompt: null }, 'bad-request', 'prompt'],
    [{ prompt: 7 }, 'bad-request', 'prompt'],
    [{ prompt: [] }, 'bad-request', 'prompt'],
    [{ prompt: [null] }, 'bad-request', 'prompt[0]'],
    [{ prompt: ['one', 'two'] }, 'unsupported-field', 'prompt'],
    [{ prompt: [1, 2] }, 'unsupported-field', 'prompt'],
    [{ prompt: [[1], [2]] }, 'unsupported-field', 'prompt'],
    [{ n: 2 }, 'unsupported-field', 'n'],
    [{ best_of: 2 }, 'unsupported-field', 'best_of'],
    [{ n: 0 }, 'bad-request', 'n'],
    [{ echo: 'yes' }, 'bad-request', 'echo'],
    [{ max_tokens: 0 }, 'bad-request', 'max_tokens'],
    [{ stream_options: 1 }, 'bad-request', 'stream_options'],
    [{ model: '' }, 'bad-request', 'model'],
  ] as const)('refuses %j with 400, naming the place', (fields, code, param) => {
    expect(refusal(fields)).toMatchObject({ code, param, status: 400, message: expect.stringContaining(param) });
  });

  it('tells that probabilities and unknown fields are left out', () => {
    const { warnings, extra } = readRequest({ ...body, logprobs: 0, tools: [] });
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['field-dropped', expect.stringContaining('logprobs')],
      ['field-dropped', expect.stringContaining('tools')],
    ]);
    expect(extra).toEqual({});
    expect(readRequest({ ...body, logprobs: null }).warnings).toEqual([]);
  });
});
