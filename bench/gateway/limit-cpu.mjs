import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const period = 10_000;

/** Where Linux keeps limits of CPU time, and how they are written: its newer control groups, and the older ones. */
const kinds = [
  { root: '/sys/fs/cgroup', limits: (quota) => [['cpu.max', `${quota} ${period}`]] },
  {
    root: '/sys/fs/cgroup/cpu',
    limits: (quota) => [
      ['cpu.cfs_period_us', period],
      ['cpu.cfs_quota_us', quota],
    ],
  },
];
const kind = kinds.find(({ root }) => existsSync(`${root}/cgroup.procs`));

const groups = [];

/**
 * Lets each process have at most `share` of a core, so that what is measured ends at them and not at the machine. False where the
 * machine lets nobody limit them: it takes Linux and root.
 */
export function limitCpu(pids, share) {
  return kind !== undefined && pids.every((pid) => limitOne(pid, Math.round(share * period)));
}

function limitOne(pid, quota) {
  const group = `${kind.root}/dragoman-bench-${pid}`;
  try {
    mkdirSync(group);
    groups.push(group);
    for (const [name, value] of [...kind.limits(quota), ['cgroup.procs', pid]])
      writeFileSync(`${group}/${name}`, String(value));
    return true;
  } catch {
    return false;
  }
}

/** Once the processes have been told to end: a group can go when the last of them has. */
export async function endLimits() {
  for (const group of groups.splice(0)) {
    for (let attempt = 0; attempt < 50 && readFileSync(`${group}/cgroup.procs`, 'utf8') !== ''; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    rmdirSync(group);
  }
}
