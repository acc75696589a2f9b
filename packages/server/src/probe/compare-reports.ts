import type { ModeReport, ProbeReport } from './report.ts';
import { chanceOf, type Rate } from './statistics.ts';

/** How a rate stands to an earlier one. */
export interface RateChange {
  readonly mode: string;
  /** A group of tasks, or `all`. */
  readonly group: string;
  readonly before: Rate;
  readonly now: Rate;
  readonly is: 'better' | 'worse' | 'no evidence';
}

/** Differences that chance makes less often than once in twenty times count. */
const significance = 0.05;

/** Compares what both reports have asked: each group of tasks, and all, in each mode. */
export function compareReports(before: ProbeReport, now: ProbeReport): readonly RateChange[] {
  return now.modes.flatMap((mode) => {
    const earlier = before.modes.find((each) => each.mode === mode.mode);
    return earlier === undefined ? [] : changesOf(earlier, mode);
  });
}

function changesOf(before: ModeReport, now: ModeReport): readonly RateChange[] {
  const { mode } = now;
  const groups = now.groups.flatMap(({ group, rate }) => {
    const earlier = before.groups.find((each) => each.group === group);
    return earlier === undefined ? [] : [changeOf({ mode, group, before: earlier.rate, now: rate })];
  });
  return [changeOf({ mode, group: 'all', before: before.all, now: now.all }), ...groups];
}

function changeOf(pair: Omit<RateChange, 'is'>): RateChange {
  const { before, now } = pair;
  if (before.of === 0 || now.of === 0 || chanceOf(before, now) >= significance) return { ...pair, is: 'no evidence' };
  return { ...pair, is: now.good / now.of > before.good / before.of ? 'better' : 'worse' };
}
