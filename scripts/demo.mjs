import { ensure, root } from './ensure.mjs';

ensure();
const { runDemo } = await import('./demo/run-demo.mjs');
const { startDemoGateway } = await import('../packages/server/dist/cli/demo-gateway.js');
// Whoever reads along may have seen enough, as `head` has.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
const args = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--');
process.exitCode = await runDemo(args, {
  root,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  width: process.stdout.columns ?? 100,
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  env: process.env,
  startGateway: () => startDemoGateway(),
});
