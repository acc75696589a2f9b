import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumFlags, findChromium } from './launch-chromium.ts';

/** The page asks for its text, runs, and sends back what came of it. */
const page = `
  import * as script from '/script.js';
  try {
    const answer = await script.run(await (await fetch('/given')).text());
    await fetch('/answer', { method: 'POST', body: answer });
  } catch (thrown) {
    await fetch('/failure', { method: 'POST', body: String(thrown?.stack ?? thrown) });
  }
`;

/** What runs in the page. */
export interface PageScript {
  /** A module that exports `run`, a function from a text to the promise of one. */
  readonly script: string;
  readonly given: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Runs a module in a page of a real browser, and resolves with what it answers to `given`. Rejects where no browser is
 * installed, with what the page has thrown, and when it takes too long.
 */
export async function runInChromium(options: PageScript): Promise<string> {
  const browser = findChromium();
  const profile = mkdtempSync(join(tmpdir(), 'dragoman-chromium-'));
  const { server, answer } = await servePage(options);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const flags = ['--headless', ...chromiumFlags, `--user-data-dir=${profile}`];
  const child = spawn(browser, [...flags, `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    // A group of its own: its helpers write to the profile, and must end with it.
    detached: true,
  });
  try {
    return await Promise.race([answer, gone(child), late(options.timeout)]);
  } finally {
    await ended(child);
    server.closeAllConnections();
    server.close();
    // A helper may still write its last file; what then stays in the system's scratch folder is no result of the page's.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => {});
  }
}

/** Ends the browser and all that it has started. */
async function ended(child: ChildProcess): Promise<void> {
  const exited = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit');
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
  await exited;
}

async function servePage({ script, given }: PageScript): Promise<{ server: Server; answer: Promise<string> }> {
  const files = new Map([
    ['/', { type: 'text/html', text: '<!doctype html><script type="module" src="/page.js"></script>' }],
    ['/page.js', { type: 'text/javascript', text: page }],
    ['/script.js', { type: 'text/javascript', text: script }],
    ['/given', { type: 'text/plain', text: given }],
  ]);
  const server = createServer();
  const answer = new Promise<string>((resolve, reject) => {
    server.on('request', async (request, response) => {
      const file = files.get(request.url ?? '');
      if (request.method === 'POST') {
        const text = await textOf(request);
        if (request.url === '/answer') resolve(text);
        else reject(new Error(`The page failed: ${text}`));
      } else if (file === undefined) response.statusCode = 404;
      else response.setHeader('content-type', `${file.type}; charset=utf-8`);
      response.end(file?.text);
    });
  });
  // Who waits for it may be told of something else first.
  answer.catch(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, answer };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function gone(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`The browser ended by itself, with ${code}.`);
}

function late(timeout: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`The page did not answer within ${timeout} ms.`)), timeout).unref();
  });
}
