import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { bundle } from '../../../scripts/bundle.mjs';
import { launchChromium } from '../../platforms/launch-chromium.ts';
import type { PageOptions, World } from './page.ts';

declare global {
  interface Window {
    /** Set by the page when the panel is in it. */
    world: World;
    axe: typeof axe;
  }
}

export interface Look {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** As on a phone: Obsidian marks the page so, and fingers point. */
  readonly isMobile?: boolean;
  readonly reducedMotion?: boolean;
}

/** A browser whose pages hold the panel alone, with a vault and a model in memory. */
export interface PanelBrowser {
  /** A page with the panel in it. What its code throws or tells as an error makes `close` reject. */
  open(options?: PageOptions & Look): Promise<Page>;
  /** What of the page a screen reader or a keyboard cannot use, as axe finds it; colours are the theme's. */
  barriers(page: Page): Promise<readonly string[]>;
  /** Closes all pages that are open. */
  closePages(): Promise<void>;
  /** Keeps a picture of the page in the folder `output`. */
  picture(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const pictures = at('../output');
const address = 'http://localhost/';

export async function startPanelBrowser(): Promise<PanelBrowser> {
  const script = await bundle(`export { startPage } from ${JSON.stringify(at('page.ts'))};`, {
    name: 'panel',
    platform: 'browser',
  });
  const style = ['../obsidian.css', '../../../packages/obsidian/styles.css'].map((path) =>
    readFileSync(at(path), 'utf8'),
  );
  const browser = await launchChromium('--hide-scrollbars=false');
  const problems: string[] = [];
  return {
    open: async ({
      theme = 'light',
      width = 420,
      height = 720,
      isMobile = false,
      reducedMotion = false,
      ...options
    } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: isMobile,
        isMobile,
        deviceScaleFactor: isMobile ? 2 : 1,
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      page.on('pageerror', ({ stack, message }) => void problems.push(stack ?? message));
      page.on('console', (told) => {
        if (told.type() === 'error') problems.push(told.text());
      });
      const classes = `theme-${theme}${isMobile ? ' is-mobile is-phone' : ''}`;
      const html = `<!doctype html><meta name="viewport" content="width=device-width"><style>${style.join('\n')}</style>
        <body class="${classes}"><div class="workspace-leaf-content"><div class="view-content"></div></div></body>`;
      await page.route('**', (route) => {
        const url = route.request().url();
        if (url === address) return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
        problems.push(`The page asked for ${url}.`);
        return route.abort();
      });
      await page.goto(address);
      await page.addScriptTag({ content: `${script};window.startPage = panel.startPage;` });
      await page.evaluate(async (given) => {
        // @ts-expect-error The script of the page sets it.
        window.world = await window.startPage(JSON.parse(given));
      }, JSON.stringify(options));
      return page;
    },
    barriers: async (page) => {
      await page.addScriptTag({ content: axe.source });
      const found = await page.evaluate(() =>
        window.axe.run('.dragoman-panel', { rules: { 'color-contrast': { enabled: false } } }),
      );
      return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
    },
    closePages: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    picture: async (page, name) => {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}.png`, animations: 'disabled' });
    },
    close: async () => {
      await browser.close();
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}
