import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** All garbage at once, which takes as long as a look at all that is kept. The second time gives back what the first one has emptied. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  collect();
  setImmediate(() => collect());
}
