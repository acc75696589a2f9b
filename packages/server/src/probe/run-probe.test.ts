import { seededRandom } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { type FaultyModel, setupOf } from '../../test/probe/faulty-model.ts';
import { type Mode, modesFor } from './modes.ts';
import type { ProbeResult } from './probe-result.ts';
import { renderReport } from './render-report.ts';
import { compareReports, reportOf } from './report.ts';
import { type ProbeOptions, runProbe } from './run-probe.ts';
import { probeTasks } from './tasks/tasks.ts';

interface Probing extends Partial<Omit<ProbeOptions, 'model' | 'setup'>> {
  readonly window?: number;
}

async function probed(faulty: FaultyModel, probing: Probing = {}) {
  const { setup, model, asked } = setupOf(faulty);
  const kept: ProbeResult[] = [...(probing.kept ?? [])];
  const { modes = modesFor(model, setup) } = probing;
  const run = await runProbe({
    ...{ model, setup, tasks: probeTasks, times: 1, longest: Infinity, mostTokens: Infinity, again: false, window: 0 },
    keep: (result) => void kept.push(result),
    progress: () => {},
    signal: new AbortController().signal,
    now: () => 0,
    date: () => 'today',
    ...probing,
    kept: probing.kept ?? [],
    modes,
  });
  const report = reportOf({ model, run: run.run, results: run.results, modes, tasks: probeTasks, notes: [] });
  const shareOf = (mode: Mode, group?: string) => {
    const found = report.modes.find((each) => each.mode === mode);
    const rate = group === undefined ? found?.all : found?.groups.find((each) => each.group === group)?.rate;
    return `${rate?.good}/${rate?.of}`;
  };
  return { run, kept, report, shareOf, proposal: report.proposal?.mode, asked };
}

const shortTasks = probeTasks.slice(0, 6);
const all = `${probeTasks.length}/${probeTasks.length}`;

describe('a model comes out as it was built', () => {
  it('flawless in all: native', async () => {
    const { report, shareOf, proposal } = await probed({ callsNatively: true, dialect: 'hermes' });
    expect(report.modes.map(({ mode }) => mode)).toEqual(['native', 'hermes', 'cline-xml']);
    expect([shareOf('native'), shareOf('hermes'), proposal]).toEqual([all, all, 'native']);
    expect(report.modes[0]?.failures).toEqual([]);
  });

  it('behind a server that takes a grammar: with and without it, and the better is proposed as a rule', async () => {
    const { setup, model } = setupOf({ dialect: 'hermes' });
    const upstreams = new Map(
      [...setup.upstreams].map(([name, each]) => [name, { ...each, quirks: { grammarField: 'grammar' } }]),
    );
    expect(modesFor(model, { ...setup, upstreams })).toEqual([
      'native',
      'hermes',
      'cline-xml',
      'hermes+choice',
      'hermes+off',
    ]);
    const { shareOf, report } = await probed({ dialect: 'hermes' }, { modes: ['cline-xml', 'hermes+choice'] });
    expect(shareOf('hermes+choice')).toBe(all);
    expect(report.proposal?.rule).toEqual({ toolCalling: { dialect: 'hermes' }, constrainCalls: 'choice' });
    const words = renderReport(report, { markdown: false });
    expect(words).toContain('"toolCalling": { "dialect": "hermes" }, "constrainCalls": "choice"');
  });

  it.each(['hermes', 'cline-xml'])('never natively, and well as %s', async (dialect) => {
    const { shareOf, proposal } = await probed({ dialect });
    expect([shareOf(dialect), proposal]).toEqual([all, dialect]);
    expect(shareOf('native', 'one call')).toBe('0/9');
  });

  it('forgets how a call ends, now and then', async () => {
    const random = seededRandom(7);
    let forgotten = 0;
    const { shareOf, report, proposal } = await probed(
      {
        dialect: 'hermes',
        writes: (written, { task }) => {
          // A short call: in a longer task more than one of them may break.
          if (task.world !== undefined || !written.endsWith('}\n</tool_call>') || random() > 0.4) return written;
          forgotten += 1;
          return written.slice(0, written.indexOf('"arguments"'));
        },
      },
      { modes: ['native', 'hermes'], times: 3 },
    );
    expect(forgotten).toBeGreaterThan(20);
    const asked = 3 * probeTasks.length;
    expect([shareOf('hermes'), proposal]).toEqual([`${asked - forgotten}/${asked}`, 'hermes']);
    const [failure] = report.modes[1]?.failures ?? [];
    expect(failure?.why).toMatch(/^It made no call, and should have called|^It came to no end/);
    expect(failure?.written).toContain('<tool_call>');
  });

  it('invents what a result would have said', async () => {
    const { report, shareOf } = await probed(
      {
        callsNatively: true,
        says: ({ task, right }) =>
          task.id.startsWith('result-') || task.world !== undefined ? { text: 'It is 12345.' } : right,
      },
      { modes: ['native'] },
    );
    expect(shareOf('native', 'results')).toBe('2/6');
    expect(shareOf('native')).toBe(`${probeTasks.length - 4}/${probeTasks.length}`);
    expect(report.modes[0]?.failures.map(({ task, why }) => [task, why])).toEqual([
      ['result-number', 'The answer does not hold "48213", which the result said.'],
      ['result-of-two', 'The answer does not hold "b.log", which the result said.'],
      ['two-rounds', 'It made no call, and should have called read_file.'],
      ['read-then-write', 'It made no call, and should have called read_file.'],
    ]);
  });

  it('calls when it should not', async () => {
    const says: FaultyModel['says'] = ({ task, right }) =>
      right.calls === undefined ? { calls: [{ name: task.tools[0]?.name ?? '', arguments: { path: 'x' } }] } : right;
    const { shareOf, report } = await probed({ dialect: 'hermes', says }, { modes: ['hermes'] });
    expect([shareOf('hermes', 'no call'), shareOf('hermes', 'one call')]).toEqual(['0/6', '9/9']);
    const known = report.modes[0]?.failures.find(({ task }) => task === 'none-known');
    expect(known).toMatchObject({
      why: 'It called read_file, and nothing had to be called.',
      written: expect.stringContaining('<tool_call>'),
    });
  });

  it('garbles JSON natively, and writes none in tags', async () => {
    const { shareOf, proposal } = await probed({
      callsNatively: true,
      dialect: 'cline-xml',
      writes: (written, { isNative }) => (isNative && written.startsWith('{') ? `{<${written.slice(1, -3)}` : written),
    });
    expect([shareOf('native', 'code in arguments'), shareOf('native', 'no call')]).toEqual(['0/6', '6/6']);
    expect([shareOf('cline-xml'), proposal]).toEqual([all, 'cline-xml']);
  });

  it('ignores tool_choice', async () => {
    const says: FaultyModel['says'] = ({ task, right }) => {
      if (task.group !== 'forced') return right;
      return task.toolChoice === 'none'
        ? { calls: [{ name: 'read_file', arguments: { path: 'x' } }] }
        : { text: 'Hm.' };
    };
    const { report, shareOf } = await probed({ callsNatively: true, says }, { modes: ['native'] });
    expect(shareOf('native')).toBe(`${probeTasks.length - 3}/${probeTasks.length}`);
    expect(shareOf('native', 'forced')).toBe('0/3');
    expect(report.modes[0]?.failures.map(({ why }) => why)).toEqual([
      'It made no call, and had to call read_file or list_files or search.',
      'It made no call, and had to call search.',
      // A client that allows none gets none.
      'It wrote nothing.',
    ]);
  });

  it('drops instructions beyond 8,000 tokens', async () => {
    const says: FaultyModel['says'] = ({ prompt, task, right }) => {
      if (task.group !== 'long context' || prompt.length < 8000 * 4) return right;
      return { calls: [{ name: 'write_file', arguments: { path: 'middle.txt', content: 'done' } }] };
    };
    const { shareOf, report } = await probed({ dialect: 'hermes', says }, { modes: ['hermes'] });
    expect([shareOf('hermes', 'long context'), shareOf('hermes', 'many tools')]).toEqual(['1/3', '3/3']);
    expect(report.modes[0]?.failures[0]?.why).toBe('In the call of write_file, "path" is not "out/amber/middle.txt".');
  });
});

describe('a reply that comes to its limit', () => {
  it('is wrong, whatever it has said', async () => {
    const says: FaultyModel['says'] = ({ task, right }) =>
      task.id === 'none-hello' ? { text: 'Well. '.repeat(100), isCut: true } : right;
    const { report, asked } = await probed({ callsNatively: true, says }, { modes: ['native'], tasks: shortTasks });
    expect(report.modes[0]?.failures.map(({ task, why }) => [task, why])).toEqual([
      ['none-hello', 'It came to no end, and was cut.'],
    ]);
    expect(asked()).toBe(shortTasks.length);
  });

  it.each(['It is a greeting.', undefined])('has more room where the model thinks: %s', async (thought) => {
    const says: FaultyModel['says'] = ({ task, right, mostTokens }) =>
      task.id === 'none-hello' && mostTokens < 2000
        ? { ...(thought === undefined ? {} : { thought }), isCut: true }
        : right;
    const { shareOf, asked } = await probed({ callsNatively: true, says }, { modes: ['native'], tasks: shortTasks });
    expect(shareOf('native')).toBe(`${shortTasks.length}/${shortTasks.length}`);
    expect(asked()).toBe(shortTasks.length + 1);
  });
});

describe('a proposal', () => {
  const modes = ['native', 'hermes'];
  const proposed = async (wrong: number) => {
    const says: FaultyModel['says'] = ({ task, right, isNative }) =>
      isNative && probeTasks.indexOf(task) < wrong ? { text: 'Hm.', calls: [{ name: 'none', arguments: {} }] } : right;
    const { report } = await probed({ callsNatively: true, dialect: 'hermes', says }, { modes });
    return { ...report.proposal, words: renderReport(report, { markdown: false }) };
  };

  it('says what may be better by chance only', async () => {
    const few = await proposed(3);
    expect(few).toMatchObject({ mode: 'hermes', unproven: ['native'] });
    expect(few.words).toContain('That it is better than native may be chance');
    const many = await proposed(20);
    expect(many).toMatchObject({ mode: 'hermes', unproven: [] });
    expect(many.words).not.toContain('chance');
  });

  it('counts what all modes were asked', async () => {
    const resultsOf = (mode: string, goods: readonly boolean[]): readonly ProbeResult[] =>
      goods.map((ok, at) => ({
        ...{ run: 'today', mode, task: probeTasks[at]?.id ?? '', version: '', ok, inputTokens: 1, outputTokens: 1 },
      }));
    // One was asked more, and knows more of that.
    const results = [
      ...resultsOf('native', [false, ...Array.from({ length: 9 }, () => true)]),
      ...resultsOf('hermes', [true, true, true]),
    ];
    const report = reportOf({ model: 'm', run: 'today', results, modes, tasks: probeTasks, notes: [] });
    expect(report.proposal?.mode).toBe('hermes');
  });
});

describe('a comparison', () => {
  const modes = ['native'];
  const invents: FaultyModel = {
    callsNatively: true,
    says: ({ task, right }) => (task.group === 'results' ? { text: 'It is 12345.' } : right),
  };

  it('says that a new version of a model is worse where it is, or better, and nothing of what may be chance or was not asked', async () => {
    const good = await probed({ callsNatively: true }, { modes, times: 3 });
    const bad = await probed(invents, { modes, times: 3 });
    const once = await probed(invents, { modes, tasks: probeTasks.filter(({ id }) => id === 'two-rounds') });
    const kinds = (before: typeof good, now: typeof good) =>
      Object.fromEntries(compareReports(before.report, now.report).map(({ group, is }) => [group, is]));
    expect(kinds(good, bad)).toMatchObject({ all: 'worse', results: 'worse', forced: 'no evidence' });
    expect(kinds(bad, good)).toMatchObject({ all: 'better', results: 'better', 'no call': 'no evidence' });
    expect(kinds(good, once)).toEqual({ all: 'no evidence', results: 'no evidence' });
  });

  it('says when no mode is good enough for an agent', async () => {
    const enough = await probed({ callsNatively: true }, { modes });
    const little = await probed({}, { modes });
    const told = ({ report }: typeof enough) => renderReport(report, { markdown: false });
    expect(told(enough)).not.toContain('try a larger model');
    expect(told(little)).toContain('Agents go wrong often with fewer than 80: try a larger model.');
  });
});

describe('a run', () => {
  const flawless: FaultyModel = { callsNatively: true };
  const tasks = probeTasks.slice(0, 5);

  it('asks every task in every mode before any a second time', async () => {
    const { kept } = await probed(flawless, { tasks, modes: ['native', 'hermes'], times: 2 });
    expect(kept.map(({ mode, task }) => `${task} ${mode}`)).toEqual(
      [1, 2].flatMap(() => tasks.flatMap(({ id }) => [`${id} native`, `${id} hermes`])),
    );
  });

  it('goes on where the last one ended, and asks nothing twice', async () => {
    const stop = new AbortController();
    const first = await probed(flawless, {
      ...{ tasks, modes: ['native'], times: 2, signal: stop.signal },
      progress: ({ done }) => done === 4 && stop.abort(),
    });
    expect([first.run.end, first.kept.length]).toEqual([{ by: 'person' }, 4]);
    const second = await probed(flawless, {
      tasks,
      modes: ['native'],
      times: 2,
      kept: first.kept,
      date: () => 'later',
    });
    expect([second.asked(), second.run.run, second.shareOf('native')]).toEqual([6, 'today', '10/10']);
    const third = await probed(flawless, { tasks, modes: ['native'], times: 2, kept: second.kept });
    expect([third.asked(), third.shareOf('native')]).toEqual([0, '10/10']);
  });

  it('begins anew where the model is told something else, or who asks wants it', async () => {
    const modes = ['native'];
    const { kept } = await probed(flawless, { tasks, modes });
    const [first] = kept;
    const other = await probed(flawless, {
      ...{ tasks, modes, date: () => 'later' },
      kept: [...kept.slice(1), ...(first === undefined ? [] : [{ ...first, version: 'older' }])],
    });
    expect([other.run.run, other.asked()]).toEqual(['later', 5]);
    const again = await probed(flawless, { tasks, modes, kept, again: true, date: () => 'later' });
    expect([again.run.run, again.asked(), again.shareOf('native')]).toEqual(['later', 5, '5/5']);
  });

  it('ends when its time or its tokens are over', async () => {
    let minutes = 0;
    const now = () => {
      minutes += 1;
      return minutes;
    };
    const late = await probed(flawless, { tasks, modes: ['native'], longest: 10, now });
    expect(late.run.end).toEqual({ by: 'time' });
    expect(late.asked()).toBeLessThan(5);
    const dear = await probed(flawless, { tasks, modes: ['native'], mostTokens: 1 });
    expect([dear.run.end, dear.asked()]).toEqual([{ by: 'tokens' }, 1]);
    const both = await probed(flawless, { tasks, modes: ['native', 'hermes'], mostTokens: 1 });
    expect([both.run.end, both.asked()]).toEqual([{ by: 'tokens' }, 2]);
  });

  it('leaves out what a window has no room for', async () => {
    const { run, shareOf } = await probed(flawless, { modes: ['native'], window: 8192 });
    expect(run.tooLong.map(({ id }) => id)).toEqual(['long-8k', 'long-16k']);
    expect(shareOf('native', 'long context')).toBe('1/1');
  });
});
