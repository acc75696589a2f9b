import { spawnSync } from 'node:child_process';

/**
 * The command before another one that gives it a namespace of its own, or `problem`: why there cannot be one here,
 * in a sentence.
 */
export function findNamespace() {
  if (process.platform !== 'linux') return { problem: 'Agents run in a network namespace, which only Linux has.' };
  for (const [tool, flag] of [
    ['ip', '-V'],
    ['unshare', '--version'],
  ]) {
    if (spawnSync(tool, [flag], { stdio: 'ignore' }).status !== 0) {
      const from = tool === 'ip' ? 'iproute2' : 'util-linux';
      return { problem: `Agents run in a network namespace, which needs the command ${tool} of the package ${from}.` };
    }
  }
  const plain = ['unshare', '-n', '-p', '-f', '--mount-proc', '--kill-child'];
  let said = '';
  // As root by right; otherwise, or where a container took that right away, as the root of a user namespace.
  for (const command of process.getuid() === 0 ? [plain, [...plain, '-r']] : [[...plain, '-r']]) {
    const [file, ...args] = [...command, 'ip', 'link', 'set', 'lo', 'up'];
    const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' });
    if (status === 0) return { command };
    said = stderr.trim();
  }
  return { problem: `Agents run in a network namespace, and none can be made here: ${said}` };
}
