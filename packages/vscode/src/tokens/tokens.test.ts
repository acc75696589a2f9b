import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from '../../test/fake-vscode.ts';
import { readPart } from '../translate/read-parts.ts';
import { gaugeOf, shortNumber } from '../usage/status-bar.ts';
import { costOf, describeUsage, UsageTracker } from '../usage/usage-tracker.ts';
import { Calibration } from './calibration.ts';
import {
  estimateMessage,
  estimateRequest,
  estimateText,
  imageTokens,
  messageOverhead,
  systemOverhead,
  toolOverhead,
} from './estimate.ts';

const memory = () => {
  const values = new Map<string, unknown>();
  return {
    get: <Value>(key: string) => values.get(key) as Value | undefined,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
};

describe('an estimate', () => {
  it('C-101: counts characters, those of wide writing one by one', () => {
    expect(estimateText('', 4)).toBe(0);
    expect(estimateText('twelve chars', 4)).toBe(3);
    expect(estimateText('漢字です', 4)).toBe(4);
  });

  const text = (length: number) => ({ type: 'input_text' as const, text: 'x'.repeat(length) });
  const base = { input: [{ type: 'message' as const, role: 'user' as const, content: [text(40)] }] };
  const tool = {
    type: 'function' as const,
    name: 'read',
    description: 'Reads',
    parameters: { type: 'object' },
    strict: false,
  };
  const image = {
    type: 'input_image' as const,
    image_url: `data:image/png;base64,${'A'.repeat(9000)}`,
    detail: 'auto' as const,
  };

  it('C-103: a tool, a system prompt and an image add what is documented', () => {
    const plain = estimateRequest(base, 4);
    expect(plain).toBe(messageOverhead + 10);
    const schema = 'readReads{"type":"object"}';
    expect(estimateRequest({ ...base, tools: [tool] }, 4) - plain).toBe(toolOverhead + Math.ceil(schema.length / 4));
    expect(estimateRequest({ ...base, instructions: 'x'.repeat(80) }, 4) - plain).toBe(systemOverhead + 20);
    const shown = [{ ...base.input[0], type: 'message' as const, role: 'user' as const, content: [text(40), image] }];
    expect(estimateRequest({ input: shown }, 4) - plain).toBe(imageTokens);
  });

  it('C-103: so does a part of a message', () => {
    const parts = [
      new LanguageModelTextPart('x'.repeat(40)),
      new LanguageModelDataPart(new Uint8Array(50_000), 'image/png'),
      new LanguageModelToolCallPart('c', 'read', { a: 1 }),
      new LanguageModelToolResultPart('c', [new LanguageModelTextPart('x'.repeat(8))]),
    ].map(readPart);
    const call = messageOverhead + Math.ceil('read{"a":1}'.length / 4);
    expect(estimateMessage({ role: 1, parts }, 4)).toBe(
      messageOverhead + 10 + imageTokens + call + messageOverhead + 2,
    );
  });
});

describe('calibration', () => {
  it('C-102: no estimate is below what was counted for it', async () => {
    const pair = fc.record({
      estimate: fc.integer({ min: 1, max: 200_000 }),
      actual: fc.integer({ min: 1, max: 200_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 20 }), async (pairs) => {
        const calibration = new Calibration(memory());
        for (const each of pairs) calibration.learn('m', each);
        for (const { estimate, actual } of pairs)
          expect(calibration.apply('m', estimate)).toBeGreaterThanOrEqual(actual);
      }),
    );
  });

  it('C-102: what a server adds to a small request says nothing of a large one, which tells the factor', () => {
    const calibration = new Calibration(memory());
    calibration.learn('m', { estimate: 7, actual: 35 });
    expect([7, 20_000].map((estimate) => calibration.apply('m', estimate))).toEqual([35, 20_028]);
    expect(calibration.applyToText('m', 1000)).toBe(1000);
    calibration.learn('m', { estimate: 20_000, actual: 30_000 });
    for (let count = 0; count < 50; count += 1) calibration.learn('m', { estimate: 400, actual: 500 });
    expect([400, 30_000].map((estimate) => calibration.apply('m', estimate))).toEqual([600, 45_000]);
    expect(calibration.applyToText('m', 1000)).toBe(1500);
  });

  it('C-102: each model has its own, which outlives a restart', async () => {
    const kept = memory();
    new Calibration(kept).learn('m', { estimate: 100, actual: 150 });
    expect(new Calibration(kept).apply('m', 10)).toBe(15);
    expect(new Calibration(kept).apply('other', 10)).toBe(10);
  });
});

describe('the gauge', () => {
  const fill = { modelId: 'm', window: 128_000, cached: 0, isEstimate: false };

  it.each([
    [52_000, '$(dashboard) 52K/128K 41%', 'none'],
    [96_000, '$(dashboard) 96K/128K 75%', 'warning'],
    [115_200, '$(dashboard) 115.2K/128K 90%', 'error'],
  ])('C-105: %i of 128,000', (used, text, colour) => {
    expect(gaugeOf({ ...fill, used }, false)).toMatchObject({ text, colour });
  });

  it('C-105: marks a turn that runs, and an estimate; the tooltip says what is known', () => {
    expect(gaugeOf({ ...fill, used: 52_000, isEstimate: true }, true).text).toBe('$(sync~spin) ~52K/128K 41%');
    const { tooltip } = gaugeOf({ ...fill, used: 52_000, cached: 1000, cost: 0.01 }, false);
    for (const said of ['52,000 of 128,000', '1,000 of them from a cache', '$0.0100']) expect(tooltip).toContain(said);
  });

  it.each([
    [999, '999'],
    [1000, '1K'],
    [41_290, '41.3K'],
    [999_990, '1M'],
    [1_048_576, '1M'],
  ])('%i is %s', (value, text) => expect(shortNumber(value)).toBe(text));
});

it('C-100: usage adds up for each model, cached and thought apart, with its cost', () => {
  const usage = new UsageTracker();
  usage.add('m', { input: 10, output: 2, cached: 4, reasoning: 1 }, { inputPrice: 1_000_000, outputPrice: 2_000_000 });
  usage.add('m', { input: 20, output: 3, cached: 5, reasoning: 2 });
  expect(usage.all().get('m')).toEqual({ requests: 2, input: 30, output: 5, cached: 9, reasoning: 3, cost: 14 });
  expect(describeUsage(usage.all())).toContain('| m | 2 | 30 | 9 | 5 | 3 | $14.0000 |');
  expect(costOf({ input: 1, output: 1, cached: 0, reasoning: 0 }, {})).toBeUndefined();
});
