import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

export interface ShellOptions {
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs shell lines from the repository's root and gives what they printed. Rejects when one fails, telling why. */
export function runShell(script: string, options: ShellOptions): Promise<string> {
  const child = start(script, options);
  return new Promise((resolve, reject) => {
    const { out, err } = collectOutput(child);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out());
      else reject(new Error(`exit code ${code}\n${script}\n${out()}${err()}`));
    });
  });
}

/** What a build on a busy machine may take, in milliseconds. */
const longestStart = 100_000;

/**
 * Starts something that goes on until it is stopped, waits until it has printed `until`, and stops it. Stops it, too,
 * when that never comes, and rejects.
 */
export function startShell(script: string, options: ShellOptions & { readonly until: string }): Promise<string> {
  const child = start(script, options);
  return new Promise((resolve, reject) => {
    const { out, err } = collectOutput(child, () => {
      if (out().includes(options.until)) stop(child);
    });
    const late = setTimeout(() => stop(child), longestStart);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(late);
      if (out().includes(options.until)) resolve(out());
      else reject(new Error(`it ended before it printed ${JSON.stringify(options.until)}\n${out()}${err()}`));
    });
  });
}

function start(script: string, { root, env }: ShellOptions): ChildProcess {
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return spawn('sh', ['-e', '-c', script], {
    cwd: root,
    env: { ...process.env, PATH: path, ...env },
    // A group of its own, so that stopping reaches what npm started.
    detached: true,
  });
}

function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM');
}

function collectOutput(child: ChildProcess, onOutput = () => {}) {
  const out: string[] = [];
  const err: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out.push(text);
    onOutput();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text));
  return { out: () => out.join(''), err: () => err.join('') };
}
