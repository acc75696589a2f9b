import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage, which takes as long as a look at all that is kept. The second time, in a turn of its own, gives back what
 * the first one has emptied.
 */
export async function collectGarbage(): Promise<void> {
  collect();
  await nextTurn(undefined, { ref: false });
  collect();
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const collectNow: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collectNow !== 'function') return;
  // Else it takes the code that has not run for a while, which the next request has to compile again.
  setFlagsFromString('--no-flush-bytecode');
  collectNow();
  setFlagsFromString('--flush-bytecode');
}

/**
 * Keeps the room for young objects as small as it is, which Node doubles wherever many of them stay, up to 32 MB that it hardly ever
 * gives back.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** From now on that room grows as Node has it. */
export function letYoungGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
