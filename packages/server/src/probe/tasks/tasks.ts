import { type ProbeTask, taskGroups } from '../task.ts';
import { argumentTasks } from './argument-tasks.ts';
import { callTasks } from './call-tasks.ts';
import { resultTasks } from './result-tasks.ts';
import { sizeTasks } from './size-tasks.ts';

/**
 * Every task, in the order in which they are asked: one of each group after the other, so that whoever ends early knows
 * something of each.
 */
export const probeTasks: readonly ProbeTask[] = inTurn([...callTasks, ...argumentTasks, ...resultTasks, ...sizeTasks]);

function inTurn(tasks: readonly ProbeTask[]): readonly ProbeTask[] {
  const rows = taskGroups.map((group) => tasks.filter((task) => task.group === group));
  const longest = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
}
