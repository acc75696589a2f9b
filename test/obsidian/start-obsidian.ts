import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { launchChromium } from '../platforms/launch-chromium.ts';

/** A vault that is opened, with the plugin in it. */
export interface VaultOptions {
  /** Paths and texts. */
  readonly files?: Readonly<Record<string, string>>;
  /** The settings of the plugin, as they were saved. */
  readonly data?: unknown;
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly phone?: boolean;
}

/** An Obsidian in memory, in a real browser. */
export interface RunningObsidian {
  /** Opens a window of its own. */
  open(options?: VaultOptions): Promise<Page>;
  stop(): Promise<void>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const plugin = (file: string) => readFileSync(join(here('../../packages/obsidian/dist/plugin'), file), 'utf8');

/** Starts a browser, and a server of the page; both end with `stop`. */
export async function startObsidian(): Promise<RunningObsidian> {
  const script = await bundlePage();
  const files = new Map([
    ['/', { type: 'text/html', text: html }],
    ['/page.js', { type: 'text/javascript', text: script }],
    ['/obsidian.css', { type: 'text/css', text: readFileSync(here('obsidian.css'), 'utf8') }],
    ['/styles.css', { type: 'text/css', text: plugin('styles.css') }],
  ]);
  const server = createServer(async (request, response) => {
    if (request.url === '/request') return answerFor(request, response);
    const file = files.get(request.url ?? '');
    if (file === undefined) response.statusCode = 404;
    else response.setHeader('content-type', `${file.type}; charset=utf-8`);
    return void response.end(file?.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const browser = await launchChromium();
  return {
    open: async ({ files: notes = {}, data, width = 420, theme = 'light', phone = false } = {}) => {
      const page = await browser.newPage({ viewport: { width, height: 760 } });
      page.setDefaultTimeout(15_000);
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.evaluate(`document.body.className = 'theme-${theme}${phone ? ' is-mobile is-phone' : ''}'`);
      const given = { files: notes, data, script: plugin('main.js'), manifest: JSON.parse(plugin('manifest.json')) };
      await page.evaluate(`window.openVault(${JSON.stringify(given)})`);
      return page;
    },
    stop: async () => {
      await browser.close();
      server.close();
    },
  };
}

/** Makes a request for the page, as Obsidian does it outside of its window. */
async function answerFor(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url, ...asked } = JSON.parse(await text(request));
  try {
    const answer = await fetch(url, asked);
    response.end(
      JSON.stringify({ status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }),
    );
  } catch {
    response.writeHead(502).end();
  }
}

const html = `<!doctype html><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/obsidian.css"><link rel="stylesheet" href="/styles.css">
<body class="theme-light"><div id="panel"></div><script src="/page.js"></script>`;

async function bundlePage(): Promise<string> {
  const input = await rolldown({
    input: here('page.js'),
    platform: 'browser',
    transform: { define: { global: 'window' } },
  });
  try {
    const { output } = await input.generate({ format: 'iife', codeSplitting: false });
    return output[0].code;
  } finally {
    await input.close();
  }
}

/** Reads a note of the vault that is open. */
export async function readNote(page: Page, path: string): Promise<string> {
  return page.evaluate(`window.readNote(${JSON.stringify(path)})`);
}

export async function noteExists(page: Page, path: string): Promise<boolean> {
  return page.evaluate(`window.noteExists(${JSON.stringify(path)})`);
}
