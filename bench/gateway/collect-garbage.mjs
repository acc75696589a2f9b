import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Lets the benchmark ask this process to throw its garbage away before its memory is read: else the numbers tell when
 * the collector last ran, not what is kept.
 */
export function collectOnRequest() {
  process.on('message', (message) => {
    if (message !== 'collect garbage') return;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    collect();
    collect();
    process.send?.({ collected: true });
  });
}
