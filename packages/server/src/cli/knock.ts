import { connect } from 'node:net';

/**
 * Opens a connection to a server for a moment. Undefined where it takes it, else what Node calls the reason; `ETIMEDOUT` for one that
 * says nothing for so many milliseconds. Keeps no process alive.
 */
export function knock({ hostname, port, protocol }: URL, timeout: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const usual = protocol === 'https:' ? 443 : 80;
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual, timeout });
    const report = (problem: string | undefined) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => report(undefined));
    socket.once('timeout', () => report('ETIMEDOUT'));
    socket.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => report(code));
    socket.unref();
  });
}
