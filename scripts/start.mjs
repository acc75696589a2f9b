import { ensure } from './ensure.mjs';

ensure();
stopWithShell();
const { run } = await import('../packages/server/dist/bundle/run.js');
const args = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--');
process.exitCode = await run(['serve', ...args]);

/**
 * npm passes signals to the shell that it starts us with, and a shell ends without passing them on: the gateway would
 * stay behind and hold its port. So the end of that shell counts as a request to stop.
 */
function stopWithShell() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
