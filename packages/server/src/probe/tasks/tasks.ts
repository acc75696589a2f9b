import { type ProbeTask, type TaskGroup, taskGroups } from '../task.ts';
import { argumentTasks } from './argument-tasks.ts';
import { callTasks, plainTasks } from './call-tasks.ts';
import { resultTasks } from './result-tasks.ts';
import { sizeTasks } from './size-tasks.ts';

/** A reply has one call at most. */
const single: ReadonlySet<TaskGroup> = new Set(['one call', 'no call', 'forced']);

/**
 * Every task, in the order in which they are asked: first what small models may get right, too, of the same tools, which a server reads
 * once; then what has short answers; in each of these one of each group after the other, so that whoever ends early knows something of
 * each.
 */
export const probeTasks: readonly ProbeTask[] = [
  ...inTurn(plainTasks),
  ...inTurn(callTasks),
  ...inTurn([...argumentTasks, ...resultTasks, ...sizeTasks]),
].map((task) => (single.has(task.group) ? { ...task, parallelToolCalls: false } : task));

function inTurn(tasks: readonly ProbeTask[]): readonly ProbeTask[] {
  const rows = taskGroups.map((group) => tasks.filter((task) => task.group === group));
  const longest = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
}
