import type { Warning } from '../chat/warning.ts';
import type { MatchedCall, MatchedHistory } from './matched-history.ts';
import { capText, longestNote } from './result-text.ts';

/** How much shorter a prompt has to become. */
export interface Saving {
  /** UTF-16 units. */
  readonly characters: number;
  /** Only the last round's results are in the prompt. */
  readonly newestOnly: boolean;
}

/** Nothing is shortened to less: so much of a result tells the model what it was. */
const leastKept = 400;

/**
 * A round whose results have at most `most` UTF-16 units together, apart from the notes in them: the longest ones become
 * equally long, and what is shorter stays. The same round if that holds already.
 */
export function capRound(round: readonly MatchedCall[], most: number): readonly MatchedCall[] {
  const lengths = round.map(({ text }) => text.length);
  if (most <= 0 || sum(lengths) <= most) return round;
  const cap = fairCap(lengths, most);
  return round.map((call) => shortened(call, cap));
}

/**
 * Saves so many characters, or as many as it can, beginning with the oldest results; those of one round share what has
 * to be saved there. Markers that are escaped later make a text longer, so whoever sees the prompt looks again.
 */
export function shortenResults(matched: MatchedHistory, saving: Saving): MatchedHistory {
  const rounds = new Map(matched.rounds);
  const newest = matched.messages.findLastIndex(({ role }) => role === 'assistant');
  let left = saving.characters;
  let count = 0;
  for (const [at, round] of matched.rounds) {
    if (left <= 0) break;
    if (saving.newestOnly && at !== newest) continue;
    const lengths = round.map(({ text }) => text.length);
    const least = sum(lengths.map((length) => Math.min(length, leastKept + longestNote)));
    const cap = Math.max(leastKept, fairCap(lengths, Math.max(least, sum(lengths) - left)) - longestNote);
    const shorter = round.map((call) => (call.text.length > cap + longestNote ? shortened(call, cap) : call));
    left -= sum(lengths) - sum(shorter.map(({ text }) => text.length));
    count += shorter.filter((call, index) => call !== round[index]).length;
    rounds.set(at, shorter);
  }
  return count === 0 ? matched : { ...matched, rounds, warnings: [...matched.warnings, told(count)] };
}

function shortened(call: MatchedCall, cap: number): MatchedCall {
  const text = capText(call.whole, cap);
  return text.length < call.text.length ? { ...call, text, capped: true } : call;
}

/** The greatest length to which all of these can be cut, so that they have at most `most` together. */
function fairCap(lengths: readonly number[], most: number): number {
  let left = most;
  let others = lengths.length;
  for (const length of [...lengths].sort((one, other) => one - other)) {
    const share = Math.floor(left / others);
    if (length > share) return share;
    left -= length;
    others -= 1;
  }
  return Math.max(0, ...lengths);
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((all, length) => all + length, 0);
}

function told(count: number): Warning {
  return { code: 'result-capped', message: `${count} result(s) were shortened, so that the prompt is short enough.` };
}
