import type { ModeReport, ProbeReport } from './report.ts';
import { chanceOf, type Rate, rateOf, significance } from './statistics.ts';
import { taskGroups } from './task.ts';

/** How a rate stands to an earlier one. */
export interface RateChange {
  readonly mode: string;
  /** A group of tasks, or `all`. */
  readonly group: string;
  readonly before: Rate;
  readonly now: Rate;
  readonly is: 'better' | 'worse' | 'no evidence';
}

/**
 * Compares what both reports have asked: all, and each group of tasks, in each mode. Tasks that only one of them has asked, as a run that
 * was ended early, count for nothing.
 */
export function compareReports(before: ProbeReport, now: ProbeReport): readonly RateChange[] {
  return now.modes.flatMap((mode) => {
    const earlier = before.modes.find((each) => each.mode === mode.mode);
    return earlier === undefined ? [] : changesOf(earlier, mode);
  });
}

function changesOf(before: ModeReport, now: ModeReport): readonly RateChange[] {
  const { mode } = now;
  const both = now.tasks.flatMap((task) => {
    const earlier = before.tasks.find((each) => each.task === task.task);
    return earlier === undefined ? [] : [{ group: task.group, before: earlier, now: task }];
  });
  const groups = taskGroups.filter((group) => both.some((each) => each.group === group));
  return ['all', ...groups].map((group) => {
    const counted = both.filter((each) => group === 'all' || each.group === group);
    const sum = (of: 'before' | 'now') =>
      rateOf(
        counted.reduce((total, each) => total + each[of].good, 0),
        counted.reduce((total, each) => total + each[of].of, 0),
      );
    return changeOf({ mode, group, before: sum('before'), now: sum('now') });
  });
}

function changeOf(pair: Omit<RateChange, 'is'>): RateChange {
  const { before, now } = pair;
  if (before.of === 0 || now.of === 0 || chanceOf(before, now) >= significance) return { ...pair, is: 'no evidence' };
  return { ...pair, is: now.good / now.of > before.good / before.of ? 'better' : 'worse' };
}
