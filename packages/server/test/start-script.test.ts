import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));
const posix = process.platform !== 'win32';

it.runIf(posix)(
  'npm start: a gateway whose shell was told to stop stops too',
  async () => {
    // As npm starts it: below a shell that stays.
    const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" "${script}" --port 0; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    const served = new Promise<void>((resolve) => {
      shell.stdout.on('data', (chunk) => {
        out += chunk;
        if (out.includes('OpenAI SDK')) resolve();
      });
    });
    shell.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await served;
    shell.kill('SIGTERM');
    // Both outputs end only when the gateway itself has ended.
    await once(shell, 'close');
    expect(err).toContain('stopping');
  },
  60_000,
);
