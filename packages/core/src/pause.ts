/** Resolves after so many milliseconds. Rejects with the signal's reason as soon as it comes. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Takes each step in a turn of its own, so that nobody else waits for more than one of them. Rejects as `pause` does. */
export async function inTurns(steps: Iterable<void>, signal?: AbortSignal): Promise<void> {
  const left = steps[Symbol.iterator]();
  do await pause(0, signal);
  while (left.next().done !== true);
}
