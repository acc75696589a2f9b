import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { defaultModelOf, type EngineSetup, findModel, listModels, type ModelEntry } from '@dragoman/core';
import { codeOf } from '../../code-of.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import { harmless } from '../../log/harmless.ts';
import { knownModes, type Mode, modesFor, ruleOf } from '../../probe/modes.ts';
import type { ProbeResult } from '../../probe/probe-result.ts';
import { renderReport } from '../../probe/render-report.ts';
import { compareReports, type ProbeReport, probeReport, reportOf } from '../../probe/report.ts';
import { keepResult, readResults, resultsFile } from '../../probe/results-file.ts';
import { type ProbeProgress, type ProbeRun, runProbe } from '../../probe/run-probe.ts';
import { probeTasks } from '../../probe/tasks/tasks.ts';
import { ownCommand } from '../how-started.ts';
import { readLearnt } from '../read-learnt.ts';
import { readConfig } from '../read-setup.ts';
import { ServedConfig } from '../served-config.ts';
import { stateFolder } from '../state-folder.ts';
import { CommandError, type Terminal, UsageError } from '../terminal.ts';
import { writeRule } from './write-rule.ts';

export interface ProbeFlags {
  readonly config?: string;
  readonly times: number;
  readonly minutes: number;
  readonly tokens: number;
  /** Ids, with commas. */
  readonly modes?: string;
  readonly again?: boolean;
  readonly write?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  /** `last`, the name of a run, or a file that `--json` has printed. */
  readonly compare?: string;
}

/** How a command ends that a person has left. */
const left = 130;

/**
 * `dragoman probe`: asks a model tasks natively and in dialects, prints how often it was right, and proposes its rule. 130 where a person
 * ended it, 1 where nobody answers. Throws CommandError.
 */
export async function probe(terminal: Terminal, model: string | undefined, flags: ProbeFlags): Promise<number> {
  const { config, file } = readConfig(terminal, flags.config === undefined ? {} : { config: flags.config });
  const served = new ServedConfig(config, terminal);
  served.use({ found: await served.find() });
  const warn = (message: string) => void terminal.stderr.write(`${harmless(served.redact(message))}\n`);
  return served.offered(async (made) => {
    const { setup: base, discovery } = made.setup;
    const setup = { ...base, facts: await readLearnt(terminal, config) };
    const entry = chosenModel(model, setup);
    await discovery.identify(entry.upstream);
    const modes = chosenModes(flags.modes, { model: entry.id, setup });
    const { report, run } = await probed(terminal, { entry, modes, setup, flags });
    if (flags.write === true && report.proposal !== undefined && run.end.by !== 'person') {
      const rule = ruleOf(report.proposal.mode);
      const told = writeRule(terminal, { entry, rule, file, config: made.config });
      // What is printed for programs is nothing but the report.
      (flags.json === true ? terminal.stderr : terminal.stdout).write(`\n${told}\n`);
    }
    if (run.end.by === 'person') return left;
    return run.end.by === 'error' ? 1 : 0;
  }, warn);
}

/** The model that is named, or else the one that requests mean which name none. */
function chosenModel(named: string | undefined, setup: EngineSetup): ModelEntry {
  const model = named ?? defaultModelOf(setup) ?? listModels(setup)[0]?.id;
  if (model === undefined)
    throw new CommandError(`There is no model to probe. See what is wrong: ${ownCommand} doctor`);
  return { ...findModel(model, setup), id: model };
}

function chosenModes(
  named: string | undefined,
  { model, setup }: { readonly model: string; readonly setup: EngineSetup },
): readonly Mode[] {
  if (named === undefined) return modesFor(model, setup);
  const chosen = [...new Set(named.split(',').map((each) => each.trim()))];
  const known = knownModes(setup);
  const unknown = chosen.find((each) => !known.includes(each));
  if (unknown === undefined) return chosen;
  const guess = didYouMean(unknown, known) || '.';
  throw new UsageError(`--modes: there is no dialect ${JSON.stringify(unknown)}${guess} See: ${ownCommand} dialects`);
}

async function probed(
  terminal: Terminal,
  {
    entry,
    modes,
    setup,
    flags,
  }: {
    readonly entry: ModelEntry;
    readonly modes: readonly Mode[];
    readonly setup: EngineSetup;
    readonly flags: ProbeFlags;
  },
): Promise<{ readonly report: ProbeReport; readonly run: ProbeRun }> {
  const { id: model } = entry;
  const path = resultsFile(stateFolder(terminal), `${entry.upstream}/${entry.model}`);
  const kept = readResults(path);
  const compared = flags.compare === undefined ? undefined : comparable(terminal, { what: flags.compare, kept, model });
  const stop = new AbortController();
  terminal.onStop(() => stop.abort());
  const progress = new ProgressLine(terminal);
  const window = entry.rule.contextWindow;
  let unkept: string | undefined;
  const run = await runProbe({
    ...{ model, setup, modes, tasks: probeTasks, window, times: flags.times, kept, again: flags.again === true },
    longest: flags.minutes * 60_000,
    mostTokens: flags.tokens,
    keep: (result) => {
      unkept ??= problemOf(() => keepResult(path, result));
    },
    progress: (now) => progress.show(now),
    signal: stop.signal,
    now: () => performance.now(),
    date: () => new Date().toISOString(),
  }).finally(() => progress.clear());
  if (run.end.by === 'error' && run.results.length === 0) throw new CommandError(run.end.error.message);
  const notes = notesOf(run, { entry, flags, modes, unkept: unkept === undefined ? undefined : `${path}: ${unkept}` });
  const report = reportOf({ model, run: run.run, results: run.results, modes, tasks: probeTasks, notes });
  const before = compared?.(run.run);
  const changes =
    before === undefined ? {} : { compared: { run: before.run, changes: compareReports(before, report) } };
  terminal.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ ...report, ...changes }, undefined, 2)}\n`
      : renderReport(report, { markdown: flags.markdown === true, ...changes }),
  );
  return { report, run };
}

/** What the report of a run is compared with, once it is known which run that is. */
function comparable(
  { cwd }: Pick<Terminal, 'cwd'>,
  { what, kept, model }: { readonly what: string; readonly kept: readonly ProbeResult[]; readonly model: string },
): (now: string) => ProbeReport {
  const runs = [...new Set(kept.map(({ run }) => run))];
  const path = resolve(cwd, what);
  if (what !== 'last' && !runs.includes(what)) {
    if (existsSync(path)) {
      const report = reportIn(path, what);
      return () => report;
    }
    const there = runs.length === 0 ? 'it has none yet' : `there are ${runs.join(', ')}`;
    throw new UsageError(`--compare: ${JSON.stringify(what)} is neither a file nor a run of ${model}; ${there}.`);
  }
  return (now) => {
    const run = what === 'last' ? runs.filter((each) => each !== now).at(-1) : what;
    if (run === undefined) throw new CommandError(`--compare: there is no run of ${model} before this one.`);
    const results = kept.filter((each) => each.run === run);
    const modes = [...new Set(results.map(({ mode }) => mode))];
    return reportOf({ model, run, results, modes, tasks: probeTasks, notes: [] });
  };
}

function reportIn(path: string, name: string): ProbeReport {
  try {
    return probeReport.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CommandError(`--compare: ${name} is nothing that dragoman probe --json has printed.`);
  }
}

/** Why something could not be done with a file, as the system calls it; undefined where it could. */
function problemOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (thrown) {
    if (codeOf(thrown) !== '') return codeOf(thrown);
    throw thrown;
  }
}

/** What a reader should know of how the run went. */
function notesOf(
  { end, tooLong, refused, results, unanswered }: ProbeRun,
  {
    entry,
    flags,
    modes,
    unkept,
  }: {
    readonly entry: ModelEntry;
    readonly flags: ProbeFlags;
    readonly modes: readonly Mode[];
    /** The file that could not be written, and why. */
    readonly unkept: string | undefined;
  },
): readonly string[] {
  const notes: string[] = [];
  const asked = results.filter(({ mode }) => modes.includes(mode)).length;
  const goOn = unkept === undefined ? `What is found is kept. Go on: ${ownCommand} probe ${entry.id}` : '';
  if (unkept !== undefined) {
    notes.push(`Nothing is kept, so no run goes on from here: ${unkept}. Name another folder with XDG_STATE_HOME.`);
  }
  switch (end.by) {
    case 'time':
      notes.push(
        `Ended after ${flags.minutes} minutes and ${asked} answers; --minutes gives it more time. ${goOn}`.trimEnd(),
      );
      break;
    case 'tokens':
      notes.push(
        `Ended after ${flags.tokens.toLocaleString('en')} tokens and ${asked} answers; --tokens gives it more. ${goOn}`,
      );
      break;
    case 'person':
      notes.push(`Stopped after ${asked} answers. ${goOn}`.trimEnd());
      break;
    case 'error':
      notes.push(`Ended after ${asked} answers, as no more came: ${end.error.message} ${goOn}`.trimEnd());
      break;
    case 'all':
      break;
    default:
      end satisfies never;
  }
  if (end.by !== 'error' && unanswered !== undefined) {
    const { count, error } = unanswered;
    notes.push(`${count} ${count === 1 ? 'question' : 'questions'} got no answer: ${error.message} ${goOn}`.trimEnd());
  }
  if (tooLong.length > 0) {
    const window = entry.rule.contextWindow.toLocaleString('en');
    notes.push(
      `Left out, as a window of ${window} tokens has no room for them: ${tooLong.map(({ id }) => id).join(', ')}.`,
    );
  }
  for (const mode of refused) {
    notes.push(`The server refused every question in ${mode} with an error, so it was not asked further there.`);
  }
  return notes;
}

/** A line on a screen that says how far a run is; nothing where standard error is none. */
class ProgressLine {
  readonly #terminal: Pick<Terminal, 'stderr' | 'isScreen'>;
  #isShown = false;

  constructor(terminal: Pick<Terminal, 'stderr' | 'isScreen'>) {
    this.#terminal = terminal;
  }

  show({ done, of, mode, task, results }: ProbeProgress): void {
    const right = results.filter((each) => each.mode === mode && each.ok).length;
    const asked = results.filter((each) => each.mode === mode).length;
    const score = asked === 0 ? '' : `, ${right} of ${asked} right`;
    this.#put(`${done + 1} of ${of}  ${mode}${score}  ${task.title}`);
  }

  clear(): void {
    if (this.#isShown) this.#put('');
    this.#isShown = false;
  }

  #put(line: string): void {
    const { stderr, isScreen } = this.#terminal;
    if (!isScreen) return;
    const width = 'columns' in stderr && typeof stderr.columns === 'number' ? stderr.columns : 80;
    // A line that is wrapped could not be written over.
    stderr.write(`\r\u001b[K${line.slice(0, width - 1)}`);
    this.#isShown = true;
  }
}
