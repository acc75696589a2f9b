import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Makes its scratch folder, leaves a file and a process in it, and stops when its input does. */
const script = `
  import { spawn } from 'node:child_process';
  import { writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { scratch } from ${JSON.stringify(new URL('../scripts/scratch.mjs', import.meta.url).href)};
  const folder = scratch();
  writeFileSync(tmpdir() + '/file', '');
  const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  console.log(JSON.stringify({ folder, pid, isShared: scratch() === folder && tmpdir() === folder }));
  process.stdin.on('end', () => process.exit(3)).resume();`;

it.each([
  ['its end', undefined, 3],
  ['SIGHUP', 'SIGHUP', 129],
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)(
  'what is temporary, and what was started, goes with the process: %s',
  { skip: !existsSync('/proc/self/environ') },
  async (_, signal, wanted) => {
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd });
    const [said] = await once(child.stdout, 'data');
    const { folder, pid, isShared } = JSON.parse(String(said));
    expect(isShared && existsSync(`${folder}/file`) && isRunning(pid)).toBe(true);
    let told = '';
    child.stderr.on('data', (text) => {
      told += text;
    });
    if (signal === undefined) child.stdin.end();
    else child.kill(signal);
    const [code] = await once(child, 'close');
    expect(code).toBe(wanted);
    expect(told).toBe(signal === undefined ? 'ended what was left running: sleep 600\n' : '');
    expect(existsSync(folder)).toBe(false);
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

/** One that has ended and that nobody has asked about has no words left. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
