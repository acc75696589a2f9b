import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { fitPrompt } from './fit-prompt.ts';
import type { Saving } from './shorten-results.ts';

const said = (length: number): Message => ({ role: 'user', content: [{ type: 'text', text: 'x'.repeat(length) }] });
const seenOf = (...lengths: readonly number[]) => lengths.map(said);

/** Fits a prompt of one result that loses what is asked of it, but for `stubborn` characters. */
function fit(length: number, limit: number, stubborn = 0) {
  const savings: number[] = [];
  const render = ({ characters }: Saving) => {
    savings.push(characters);
    return seenOf(Math.max(stubborn, length - characters));
  };
  const seen = seenOf(length);
  const fitted = fitPrompt(seen, {
    limit,
    render,
    part: (messages: readonly Message[]) => messages,
    newestOnly: false,
  });
  return { same: fitted === seen, savings };
}

describe('a prompt with a limit', () => {
  it('is the very same one where it fits, or where there is no limit', () => {
    expect(fit(500, 1000)).toEqual({ same: true, savings: [] });
    expect(fit(500_000, 0)).toEqual({ same: true, savings: [] });
  });

  it('saves in steps, so that prompts which grow begin alike for some rounds', () => {
    const savings = [8100, 8300, 8900, 9000].map((length) => fit(length, 8000).savings);
    expect(savings).toEqual([[1000], [1000], [1000], [2000]]);
  });

  it('tries again where escaped markers have made it longer, and gives up in time', () => {
    expect(fit(12_000, 8000, 8100).savings).toEqual([5000, 6000, 7000]);
  });
});
