import type { Log } from '../log/create-log.ts';
import type { Terminal } from './terminal.ts';

interface Serving {
  readonly log: Log;
  /** Lets running replies finish. */
  drain(): Promise<void>;
  /** Breaks them off; what drains is then over. */
  close(): void;
  /** Hears that something of our own went wrong, after which nothing more is served. */
  failing?(): void;
  /** Somebody else tells that it stops. */
  readonly isQuiet?: boolean;
}

/** What the log says at the first request to stop. */
const stoppingWords =
  'stopping: running replies finish, new requests get 503; a second Ctrl-C or signal breaks them off';

/** Serves until somebody wants it to stop, or a mistake of our own was not caught. Resolves with the exit code. */
export function untilStopped(terminal: Terminal, serving: Serving): Promise<number> {
  const { log, failing, isQuiet = false } = serving;
  return new Promise((resolve, reject) => {
    let asked = 0;
    let hasFailed = false;
    const drain = () => serving.drain().then(() => resolve(hasFailed ? 1 : asked > 1 ? 130 : 0), reject);
    terminal.onUncaught((thrown) => {
      const reason = thrown instanceof Error ? thrown.stack : String(thrown);
      log.error(`a bug in Dragoman, please report it: ${reason}`);
      if (hasFailed) return;
      hasFailed = true;
      log.error(stoppingWords);
      failing?.();
      drain();
    });
    terminal.onStop(() => {
      asked += 1;
      if (asked > 1) {
        serving.close();
        return;
      }
      if (!isQuiet) log.info(stoppingWords);
      drain();
    });
  });
}
