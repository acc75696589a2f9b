import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

let folder;

/**
 * The folder for temporary files of this process and of all that it starts from here on. When the process ends, by a signal too,
 * what it has started and still runs ends with it, and the folder goes with all that is in it. `setup` is its name for vitest.
 */
export function scratch() {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'dragoman-'));
  // A database runs as another user.
  chmodSync(made, 0o755);
  // What is started inherits it, and is known by it.
  process.env.TMPDIR = made;
  let isStopped = false;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isStopped = true;
      process.exit(128 + constants.signals[signal]);
    });
  }
  process.once('exit', () => {
    for (const { pid, command } of startedWith(made)) {
      if (!isStopped) console.error(`ended what was left running: ${command}`);
      endNow(pid);
    }
    rmSync(made, { recursive: true, force: true, maxRetries: 10 });
  });
  folder = made;
  return made;
}

export const setup = () => void scratch();

/** All processes whose temporary files go there; none where the system does not tell. */
function startedWith(place) {
  return numbersIn('/proc').flatMap((pid) => {
    if (pid === process.pid) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TMPDIR=${place}`);
      return isOurs
        ? [{ pid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() }]
        : [];
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

function numbersIn(place) {
  try {
    return readdirSync(place).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function endNow(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
