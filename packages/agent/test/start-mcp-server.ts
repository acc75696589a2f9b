import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

/** The reference server of the protocol. */
export const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/** Starts it over HTTP. */
export async function startMcpServer(): Promise<{ readonly url: string; stop(): void }> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [program, 'streamableHttp'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(child.stderr, 'data');
  const url = `http://127.0.0.1:${port}/mcp`;
  const stop = () => void child.kill();
  for (let left = 100; ; left -= 1) {
    try {
      await fetch(url, { method: 'OPTIONS' });
      return { url, stop };
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
