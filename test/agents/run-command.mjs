import { spawn } from 'node:child_process';

const running = new Set();

/**
 * Runs a command to its end, or to its `timeout` in milliseconds, and tells what it wrote to standard error and, in
 * words, why it failed; `problem` is absent when all went well. What it has started ends with it.
 */
export function runCommand(file, args, { timeout, ...options }) {
  return new Promise((resolve) => {
    // A process group of its own, so that one signal reaches everything that it starts.
    const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(child);
    let stderr = '';
    let late = false;
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, timeout);
    const settle = (problem) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ stderr, ...(problem === undefined ? {} : { problem }) });
    };
    child.once('error', (error) => settle(error.message));
    child.once('close', (status, signal) => {
      endGroup(child);
      if (late) settle(`${file} was stopped after ${timeout / 1000} s`);
      else settle(status === 0 ? undefined : `${file} ended with ${status ?? signal}`);
    });
  });
}

/** Ends everything that `runCommand` has started and that still runs. */
export function endAllCommands() {
  for (const child of running) endGroup(child);
}

function endGroup({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (thrown) {
    // Nobody is left, which is what was wanted.
    if (thrown.code !== 'ESRCH') throw thrown;
  }
}
