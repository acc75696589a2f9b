import { z } from 'zod';
import { heldWords, type Mode, nativeMode, ruleOf } from './modes.ts';
import type { ProbeResult } from './probe-result.ts';
import { chanceOf, medianOf, type Rate, rateOf, significance } from './statistics.ts';
import { type ProbeTask, taskGroups } from './task.ts';

const rate = z.object({ good: z.int(), of: z.int(), low: z.number(), high: z.number() });

/** What a task got wrong in a mode: the latest wrong answer stands for all. */
const failure = z.object({
  task: z.string(),
  title: z.string(),
  wrong: z.int(),
  of: z.int(),
  why: z.string(),
  written: z.string(),
});

const modeReport = z.object({
  mode: z.string(),
  all: rate,
  groups: z.array(z.object({ group: z.enum(taskGroups), rate })),
  /** Those that were asked. */
  tasks: z.array(z.object({ task: z.string(), group: z.enum(taskGroups), good: z.int(), of: z.int() })),
  /** Milliseconds, the median. */
  firstToken: z.number().optional(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  failures: z.array(failure),
});

/** What a run has found, for people and programs; `--json` prints it. */
export const probeReport = z.object({
  model: z.string(),
  run: z.string(),
  modes: z.array(modeReport),
  /** Absent where nothing was asked. */
  proposal: z
    .object({
      mode: z.string(),
      rule: z.object({
        toolCalling: z.union([z.literal('native'), z.object({ dialect: z.string() })]),
        constrainCalls: z.enum(heldWords).optional(),
      }),
      /** Modes that it was better than only by what chance makes as well. */
      unproven: z.array(z.string()).default([]),
    })
    .optional(),
  /** What a reader should know beside the numbers. */
  notes: z.array(z.string()),
});

export type ProbeReport = z.infer<typeof probeReport>;
export type ModeReport = z.infer<typeof modeReport>;
export type TaskFailure = z.infer<typeof failure>;

export interface ReportOptions {
  readonly model: string;
  readonly run: string;
  /** Of this run alone. */
  readonly results: readonly ProbeResult[];
  /** In the order in which they count where none is better. */
  readonly modes: readonly Mode[];
  readonly tasks: readonly ProbeTask[];
  readonly notes: readonly string[];
}

/** Puts together what was found. Results of tasks that there are no more count for nothing. */
export function reportOf({ model, run, results, modes, tasks, notes }: ReportOptions): ProbeReport {
  const told = modes.map((mode) => modeOf(mode, { results: results.filter((each) => each.mode === mode), tasks }));
  const best = bestOf(told);
  return {
    model,
    run,
    modes: told,
    ...(best === undefined ? {} : { proposal: { ...best, rule: ruleOf(best.mode) } }),
    notes: [...notes],
  };
}

function modeOf(
  mode: Mode,
  { results, tasks }: { readonly results: readonly ProbeResult[]; readonly tasks: readonly ProbeTask[] },
): ModeReport {
  const known = results.filter(({ task }) => tasks.some(({ id }) => id === task));
  const ofTasks = (some: readonly ProbeTask[]) => known.filter(({ task }) => some.some(({ id }) => id === task));
  const rateIn = (some: readonly ProbeResult[]) => rateOf(some.filter(({ ok }) => ok).length, some.length);
  const firstToken = medianOf(known.flatMap((each) => each.firstToken ?? []));
  const groups = taskGroups.map((group) => ({
    group,
    rate: rateIn(ofTasks(tasks.filter((task) => task.group === group))),
  }));
  const counts = tasks.map((task) => {
    const { good, of } = rateIn(ofTasks([task]));
    return { task: task.id, group: task.group, good, of };
  });
  return {
    mode,
    all: rateIn(known),
    groups: groups.filter((each) => each.rate.of > 0),
    tasks: counts.filter(({ of }) => of > 0),
    ...(firstToken === undefined ? {} : { firstToken }),
    inputTokens: known.reduce((sum, each) => sum + each.inputTokens, 0),
    outputTokens: known.reduce((sum, each) => sum + each.outputTokens, 0),
    failures: tasks.flatMap((task) => failureOf(task, ofTasks([task])) ?? []),
  };
}

function failureOf({ id, title }: ProbeTask, results: readonly ProbeResult[]): TaskFailure | undefined {
  const wrong = results.filter(({ ok }) => !ok);
  const last = wrong.at(-1);
  if (last === undefined) return undefined;
  const { why = '', written = '' } = last;
  return { task: id, title, wrong: wrong.length, of: results.length, why, written };
}

/**
 * The mode whose rate is the best that is certain: that of the highest lower bound, in whole percent, over the questions that all were
 * asked. Of equal ones native wins, then the first. Undefined where nothing was right.
 */
function bestOf(modes: readonly ModeReport[]): { readonly mode: Mode; readonly unproven: Mode[] } | undefined {
  const right = modes.filter(({ all }) => all.good > 0);
  const rated = right.map(({ mode, tasks }) => ({ mode, rate: rateOfShared(tasks, right) }));
  const [first, ...others] = rated.sort(
    (one, other) => Number(other.mode === nativeMode) - Number(one.mode === nativeMode),
  );
  if (first === undefined) return undefined;
  const best = others.reduce((one, each) => (percent(each.rate.low) > percent(one.rate.low) ? each : one), first);
  const unproven = rated.filter((each) => each !== best && chanceOf(best.rate, each.rate) >= significance);
  return { mode: best.mode, unproven: unproven.map(({ mode }) => mode) };
}

/** What a mode got right of the tasks that all were asked equally often: a run that was ended may have asked some of them more. */
function rateOfShared(tasks: ModeReport['tasks'], modes: readonly ModeReport[]): Rate {
  const isShared = ({ task, of }: ModeReport['tasks'][number]) =>
    modes.every((mode) => mode.tasks.some((each) => each.task === task && each.of === of));
  const shared = tasks.filter(isShared);
  return rateOf(
    shared.reduce((sum, { good }) => sum + good, 0),
    shared.reduce((sum, { of }) => sum + of, 0),
  );
}

export function percent(share: number): number {
  return Math.round(share * 100);
}

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
