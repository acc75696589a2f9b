import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds in which Node gives back the memory that a collection has emptied. */
const pause = 100;

/**
 * Collects all garbage, which takes as long as a look at all that is kept. The second time brings together what the first one has left
 * scattered, and gives back what that has emptied.
 */
export async function collectGarbage(): Promise<void> {
  collect();
  await sleep(pause, undefined, { ref: false });
  collect();
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const collectNow: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collectNow !== 'function') return;
  // Else it takes the code that has not run for a while, which the next request has to compile again.
  setFlagsFromString('--no-flush-bytecode');
  // Else what is kept stays where it lies, even if most around it has gone.
  setFlagsFromString('--optimize-for-size');
  collectNow();
  setFlagsFromString('--flush-bytecode');
  setFlagsFromString('--no-optimize-for-size');
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

/**
 * From now on garbage is collected when there is two fifths more than was kept the last time. Node lets a small heap grow to several times
 * that, which is much where many requests run: of what each makes, a part outlives the collections of young objects.
 */
export function growCarefully(): void {
  setFlagsFromString('--heap-growing-percent=40');
}

/** From now on the heap grows as Node has it. */
export function letGrow(): void {
  setFlagsFromString('--heap-growing-percent=0');
}
