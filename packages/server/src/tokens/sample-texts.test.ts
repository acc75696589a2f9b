import { expect, it } from 'vitest';
import { sampleTexts } from './sample-texts.ts';

it('takes texts as they are while they are not very long', () => {
  const texts = ['one', 'two '.repeat(60_000)];
  expect(sampleTexts(texts, 256_000)).toEqual({ texts, units: 240_003, times: 1 });
});

it.each([
  ['one long text', ['A few words. '.repeat(300_000)]],
  [
    'very many short ones',
    Array.from({ length: 10_000 }, (_, at) => `This is message ${at}, and so it goes on and on.`),
  ],
  ['a short one, and two of different kinds', ['Hi', 'word '.repeat(300_000), '-'.repeat(500_000)]],
])('takes an even sample of very long ones: %s', (_, texts) => {
  const spaces = (text: string) => text.split(' ').length - 1;
  const sample = sampleTexts(texts, 256_000);
  const found = sample.texts.join('');
  expect(found).toHaveLength(sample.units);
  expect(sample.units).toBeLessThanOrEqual(260_000);
  const truth = spaces(texts.join(''));
  expect(spaces(found) * sample.times).toBeGreaterThan(truth * 0.98);
  expect(spaces(found) * sample.times).toBeLessThan(truth * 1.02);
});
