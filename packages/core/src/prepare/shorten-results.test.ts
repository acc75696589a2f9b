import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { defaultModelRule } from '../plan/rules.ts';
import { matchResults } from './match-results.ts';
import { repairHistory } from './repair-history.ts';
import { capText, longestNote } from './result-text.ts';
import { type Saving, shortenResults } from './shorten-results.ts';

const rule = defaultModelRule.results;

/** Rounds of calls whose results have these texts. */
function history(rounds: readonly (readonly string[])[]): Message[] {
  return rounds.flatMap((texts, round): Message[] => [
    {
      role: 'assistant',
      content: texts.map((_, at) => ({
        type: 'tool-call',
        callId: `${round}-${at}`,
        name: 'read',
        arguments: '{}',
      })),
    },
    ...texts.map(
      (text, at): Message => ({
        role: 'tool',
        callId: `${round}-${at}`,
        content: [{ type: 'text', text }],
      }),
    ),
  ]);
}

const xs = (length: number) => 'x'.repeat(length);
const lengthsOf = (matched: ReturnType<typeof matchResults>) =>
  [...matched.rounds.values()].map((round) => round.map(({ text }) => text.length));

/** The lengths of the results after saving. */
function saved(rounds: readonly (readonly number[])[], saving: Partial<Saving>) {
  const matched = matchResults(history(rounds.map((lengths) => lengths.map(xs))), rule);
  return lengthsOf(shortenResults(matched, { characters: 0, newestOnly: false, ...saving }));
}

const note = (omitted: number) => `\n[… ${omitted} more characters were left out …]\n`;

describe('a text that is too long', () => {
  it('keeps its beginning and its end, with a note of what is missing between', () => {
    expect(capText('0123456789', 4)).toBe(`01${note(6)}89`);
    expect(capText('0123456789', 5)).toBe(`012${note(5)}89`);
    expect(capText('0123456789', 10)).toBe('0123456789');
    expect(capText('0123456789', 0)).toBe('0123456789');
  });

  it('loses nothing untold, and no half of a pair is alone', () => {
    const text = fc.array(fc.constantFrom('a', '🙂', '\n', 'é'), { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), (whole, most) => {
        const capped = capText(whole, most);
        if (whole.length <= most) expect(capped).toBe(whole);
        else {
          const [head = '', omitted = '', tail = ''] = capped.split(/\n\[… (\d+) more characters were left out …\]\n/u);
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          expect(head.length + tail.length + Number(omitted)).toBe(whole.length);
          expect(head.length + tail.length).toBeLessThanOrEqual(most);
          expect(() => encodeURIComponent(head + tail)).not.toThrow();
        }
      }),
    );
  });
});

describe('A-210: the results of a round', () => {
  const round = (lengths: readonly number[], maxRoundLength: number) =>
    matchResults(history([lengths.map(xs)]), { ...rule, maxRoundLength });

  it('together are no longer than allowed: the longest become equally long, the short ones stay', () => {
    const matched = round([100, 5000, 9000], 4100);
    const texts = [...matched.rounds.values()].flat().map(({ text }) => text);
    expect(texts).toEqual([xs(100), `${xs(1000)}${note(3000)}${xs(1000)}`, `${xs(1000)}${note(7000)}${xs(1000)}`]);
    expect(matched.warnings.map(({ code }) => code)).toEqual(['result-capped']);
  });

  it('stay where they fit, or where nothing limits them', () => {
    for (const limit of [4100, 0]) {
      const matched = round([100, 4000], limit);
      expect(lengthsOf(matched)).toEqual([[100, 4000]]);
      expect(matched.warnings).toEqual([]);
    }
  });

  it('are shortened for native models, too', () => {
    const messages = history([[xs(5000), xs(10)]]);
    const repaired = repairHistory(messages, { results: { ...rule, maxRoundLength: 2010 }, mergeRoles: false });
    expect(repaired.messages[1]?.content).toEqual([{ type: 'text', text: `${xs(1000)}${note(3000)}${xs(1000)}` }]);
    expect(repaired.messages[2]).toBe(messages[2]);
  });
});

describe('A-210: a prompt that is too long', () => {
  it('saves with the oldest results first, and the newest stay if that is enough', () => {
    expect(saved([[5000], [5000], [5000]], { characters: 4000 })[0]?.[0]).toBeLessThanOrEqual(1000);
    expect(saved([[5000], [5000], [5000]], { characters: 4000 }).slice(1)).toEqual([[5000], [5000]]);
    const [first = [], second = [], third] = saved([[5000], [5000], [5000]], { characters: 6000 });
    expect(first[0]).toBeLessThan(500);
    expect(second[0]).toBeLessThan(5000);
    expect(third).toEqual([5000]);
  });

  it('results of one round share what has to be saved', () => {
    const [[short, one = 0, other = 0] = []] = saved([[200, 5000, 5000]], { characters: 4000 });
    expect([short, one]).toEqual([200, other]);
    expect(one + other).toBeLessThanOrEqual(6000);
  });

  it('only the last round saves where the upstream knows the others', () => {
    expect(saved([[5000], [5000]], { characters: 3000, newestOnly: true })[0]).toEqual([5000]);
    expect(saved([[5000], [5000]], { characters: 3000, newestOnly: true })[1]?.[0]).toBeLessThanOrEqual(2000);
  });

  it('leaves of each result so much that the model knows what it was', () => {
    for (const [length = 0] of saved([[5000], [300]], { characters: 1_000_000 })) expect(length).toBeGreaterThan(299);
  });

  it('saves what it can and never more than the rest of the results, whatever they are', () => {
    const rounds = fc.array(fc.array(fc.nat(4000), { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(rounds, fc.nat(20_000), (lengths, characters) => {
        const matched = matchResults(history(lengths.map((round) => round.map(xs))), rule);
        const before = lengthsOf(matched).flat();
        const after = lengthsOf(shortenResults(matched, { characters, newestOnly: false })).flat();
        const saving = before.reduce((sum, length, at) => sum + length - (after[at] ?? 0), 0);
        for (const [at, length] of after.entries()) expect(length).toBeLessThanOrEqual(before[at] ?? 0);
        const possible = before.reduce((sum, length) => sum + Math.max(0, length - 400 - 2 * longestNote), 0);
        expect(saving).toBeGreaterThanOrEqual(Math.min(characters, possible));
      }),
    );
  });
});
