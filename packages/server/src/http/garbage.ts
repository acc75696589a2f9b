import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
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

/** Collects the garbage of the last moments, which is about to be in the way of a request: what runs after it has room. */
export function collectYoungGarbage(): void {
  collector()?.({ type: 'minor' });
}

function collect(): void {
  const collectNow = collector();
  if (collectNow === undefined) return;
  // Else it takes the code that has not run for a while, which the next request has to compile again.
  setFlagsFromString('--no-flush-bytecode');
  // Else what is kept stays where it lies, even if most around it has gone.
  setFlagsFromString('--optimize-for-size');
  collectNow();
  setFlagsFromString('--flush-bytecode');
  setFlagsFromString('--no-optimize-for-size');
}

let isWaiting = false;

/**
 * Until `collectInSteps` nothing is collected for want of anything else to do. Node does so up to three times within the ten seconds
 * after a collection, and takes what code has learnt of objects, which the next request has to teach it again.
 */
export function keepWhatIsLearnt(): void {
  isWaiting = true;
  setFlagsFromString('--no-incremental-marking');
}

/**
 * Garbage is collected in steps, as Node has it: not all in one turn. Called after the first request, or once a second one runs: steps
 * that begin within the first one make its longest turn half as long again.
 */
export function collectInSteps(): void {
  if (!isWaiting) return;
  isWaiting = false;
  setFlagsFromString('--incremental-marking');
}

/** What collects garbage; Node gives it to nobody who has not asked for it. */
function collector(): ((options?: { readonly type: 'minor' }) => void) | undefined {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? (options) => found(options) : undefined;
}

/** Bytes of bodies that are read between two collections of young objects. */
const bodiesBetween = 8 * 1024 * 1024;

let bodies = 0;
let collectYoung: ReturnType<typeof collector>;

/**
 * A body of so many bytes has been read. Bodies lie outside of the heap: where little else is made they gather until Node looks at all that
 * is kept, with all its threads, for as long as dozens of requests take. A look at young objects alone frees them.
 */
export function passBody(length: number): void {
  bodies += length;
  if (bodies < bodiesBetween) return;
  bodies = 0;
  collectYoung ??= collector();
  collectYoung?.({ type: 'minor' });
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

/** Bytes. Room for young objects that stays as it is where many requests run, and room that is taken back where a crowd runs. */
const roomForYoung = { enough: 4 * 1024 * 1024, tooMuch: 16 * 1024 * 1024 };

/**
 * From now on garbage is collected when there is two fifths more than was kept the last time, in a crowd a quarter. Node lets a small heap
 * grow to several times what it keeps, which is much where many requests run: of what each makes, a part outlives the collections of
 * young objects. The room for these grows until it is enough. In a crowd, most of which waits, the next look at all that is kept
 * takes back what is too much of it, and leaves little. So this is called again and again while many run.
 */
export function growCarefully({ isCrowd }: { readonly isCrowd: boolean }): void {
  const { space_size: room = 0 } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space') ?? {};
  setFlagsFromString(`--heap-growing-percent=${isCrowd ? 25 : 40}`);
  setFlagsFromString(isCrowd && room > roomForYoung.tooMuch ? '--optimize-for-size' : '--no-optimize-for-size');
  if (room < roomForYoung.enough) letYoungGrow();
  else keepYoungSmall();
}

/** From now on the heap grows as Node has it. */
export function letGrow(): void {
  setFlagsFromString('--heap-growing-percent=0');
  setFlagsFromString('--no-optimize-for-size');
  letYoungGrow();
}
