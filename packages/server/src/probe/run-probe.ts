import type { EngineSetup } from '@dragoman/core';
import { type AskedTask, askTask, Interruption, versionOf } from './ask-task.ts';
import { type Mode, withMode } from './modes.ts';
import { longestWritten, type ProbeResult } from './probe-result.ts';
import type { ProbeTask } from './task.ts';

export interface ProbeOptions {
  readonly model: string;
  readonly setup: EngineSetup;
  readonly modes: readonly Mode[];
  /** In the order in which they are asked. */
  readonly tasks: readonly ProbeTask[];
  /** How often each task is asked in each mode. */
  readonly times: number;
  /** Milliseconds after which nothing more is asked. */
  readonly longest: number;
  /** Tokens, read and written, after which nothing more is asked. */
  readonly mostTokens: number;
  /** What earlier runs have found. */
  readonly kept: readonly ProbeResult[];
  /** Begins anew, whatever is kept. */
  readonly again: boolean;
  /** Keeps what is found, each as soon as it is. */
  readonly keep: (result: ProbeResult) => void;
  readonly progress: (progress: ProbeProgress) => void;
  readonly signal: AbortSignal;
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
  /** The name of a run that begins: the date of now, in ISO 8601. */
  readonly date: () => string;
}

/** How far a run is, before each question. */
export interface ProbeProgress {
  readonly done: number;
  readonly of: number;
  readonly mode: Mode;
  readonly task: ProbeTask;
  readonly results: readonly ProbeResult[];
}

/** Why a run is over: nothing is left to ask, one of its limits, whoever runs it, or nobody answered. */
export type ProbeEnd =
  | { readonly by: 'all' | 'time' | 'tokens' | 'person' }
  | { readonly by: 'error'; readonly error: Interruption };

export interface ProbeRun {
  readonly run: string;
  /** All results of the run, those of earlier sittings included. */
  readonly results: readonly ProbeResult[];
  readonly end: ProbeEnd;
  /** Tasks that the model's window has no room for. */
  readonly tooLong: readonly ProbeTask[];
  /** Modes in which the server has refused every question, and was not asked further. */
  readonly refused: readonly Mode[];
  /** Questions that got no answer, and are asked when the run goes on; the last error. */
  readonly unanswered?: { readonly count: number; readonly error: Interruption };
}

/** So many errors one after the other say that the next ones end like them. */
const mostErrors = 3;

/**
 * Asks all tasks in all modes, each so often, and keeps what comes. What is kept of the last run is not asked again; a run in
 * which the model was told something else is another one. `window`: tokens, 0 where nobody knows.
 */
export async function runProbe(options: ProbeOptions & { readonly window: number }): Promise<ProbeRun> {
  const { model, setup, modes, times, window, signal, now } = options;
  const tooLong = options.tasks.filter(({ needs = 0 }) => window > 0 && needs > window);
  const tasks = options.tasks.filter((task) => !tooLong.includes(task));
  const places = new Map(modes.map((mode) => [mode, { model, setup: withMode(mode, { model, setup }) }]));
  const versions = new Map<string, string>();
  for (const [mode, place] of places) {
    for (const task of tasks) versions.set(keyOf(mode, task.id), versionOf(task, place));
  }
  const isCurrent = ({ mode, task, version }: ProbeResult) => (versions.get(keyOf(mode, task)) ?? version) === version;
  const last = options.kept.at(-1)?.run;
  const ofLast = options.kept.filter(({ run }) => run === last);
  const goesOn = !options.again && ofLast.every(isCurrent);
  const run = goesOn && last !== undefined ? last : options.date();
  const results: ProbeResult[] = goesOn ? [...ofLast] : [];

  const began = now();
  let spent = 0;
  let interruptions = 0;
  const refused: Mode[] = [];
  let unanswered: ProbeRun['unanswered'];
  const ended = (end: ProbeEnd): ProbeRun => {
    return { run, results, end, tooLong, refused, ...(unanswered === undefined ? {} : { unanswered }) };
  };
  const planned = [...questions({ modes, tasks, times })];
  const isAnswered = questionsIn(results);
  const open = planned.filter(({ mode, task, time }) => !isAnswered(mode, task, time));
  let askedLast: ProbeTask | undefined;
  for (const [at, { mode, task }] of open.entries()) {
    const place = places.get(mode);
    if (place === undefined || refused.includes(mode)) continue;
    if (signal.aborted) return ended({ by: 'person' });
    // What one mode is asked, all are.
    if (task !== askedLast && now() - began >= options.longest) return ended({ by: 'time' });
    if (task !== askedLast && spent >= options.mostTokens) return ended({ by: 'tokens' });
    askedLast = task;
    options.progress({ done: planned.length - open.length + at, of: planned.length, mode, task, results });
    try {
      const asked = await askTask(task, place, { signal, now });
      interruptions = 0;
      spent += asked.inputTokens + asked.outputTokens;
      const version = versions.get(keyOf(mode, task.id)) ?? '';
      const result = resultOf(asked, { run, mode, task: task.id, version });
      results.push(result);
      options.keep(result);
      if (onlyRefuses(results.filter((each) => each.mode === mode))) refused.push(mode);
    } catch (thrown) {
      if (signal.aborted) return ended({ by: 'person' });
      if (!(thrown instanceof Interruption)) throw thrown;
      unanswered = { count: (unanswered?.count ?? 0) + 1, error: thrown };
      // A window that is too small says nothing of the next question.
      if (thrown.code === 'context-too-long') continue;
      interruptions += 1;
      if (interruptions === mostErrors) return ended({ by: 'error', error: thrown });
    }
  }
  return ended({ by: 'all' });
}

/** Every task in every mode before any a second time. */
function* questions({ modes, tasks, times }: Pick<ProbeOptions, 'modes' | 'tasks' | 'times'>) {
  for (let time = 1; time <= times; time += 1) {
    for (const task of tasks) {
      for (const mode of modes) yield { mode, task, time };
    }
  }
}

/** Whether a task was asked so often in a mode. */
function questionsIn(results: readonly ProbeResult[]): (mode: Mode, task: ProbeTask, time: number) => boolean {
  const counts = new Map<string, number>();
  for (const { mode, task } of results) counts.set(keyOf(mode, task), (counts.get(keyOf(mode, task)) ?? 0) + 1);
  return (mode, task, time) => (counts.get(keyOf(mode, task.id)) ?? 0) >= time;
}

function onlyRefuses(results: readonly ProbeResult[]): boolean {
  return results.length >= mostErrors && results.every(({ refused }) => refused === true);
}

function keyOf(mode: Mode, task: string): string {
  return `${mode} ${task}`;
}

function resultOf(
  { decision, written, firstToken, inputTokens, outputTokens, refused }: AskedTask,
  place: Pick<ProbeResult, 'run' | 'mode' | 'task' | 'version'>,
): ProbeResult {
  return {
    ...place,
    ok: decision.ok,
    ...(decision.ok ? {} : { why: decision.why, written: written.slice(0, longestWritten) }),
    ...(refused === true ? { refused } : {}),
    ...(firstToken === undefined ? {} : { firstToken: Math.round(firstToken) }),
    inputTokens,
    outputTokens,
  };
}
