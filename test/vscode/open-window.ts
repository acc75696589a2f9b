import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { Drivers, Inside } from './drivers.ts';
import { soon } from './try-until.ts';

/** What is asked in the chat view. */
export interface Question {
  readonly text: string;
  readonly model: { readonly vendor: string; readonly id: string };
}

/** What the chat view shows below a question when the turn is over. */
export interface Shown {
  /** The paragraphs of the answer, in order. */
  readonly texts: readonly string[];
  /** The thoughts, in the boxes that fold them away. */
  readonly thoughts: readonly string[];
  /** The words in the box with the red sign; empty where there is none. */
  readonly error: string;
}

/** A window of VS Code with Copilot Chat switched on. */
export interface Window {
  /** The workspace folder. */
  readonly folder: string;
  readonly page: Page;
  /** Runs a function as an extension of this window. */
  readonly inside: Inside;
  /** Asks in a new chat in agent mode with all its tools. Resolves when the question is on its way. */
  send(question: Question): Promise<void>;
  /** Waits until the turn is over. Allows what VS Code asks the person for meanwhile. */
  shown(): Promise<Shown>;
  /** Sends, and waits until the turn is over. */
  ask(question: Question): Promise<Shown>;
  /** What the context meter says when it is opened. */
  meter(): Promise<string>;
  /** Keeps a picture of the window in the folder `output`. */
  picture(name: string): Promise<void>;
}

export interface WindowOptions {
  readonly context: BrowserContext;
  readonly drivers: Drivers;
  readonly url: string;
  readonly folder: string;
}

/** What the view shows of an answer that goes on after these words: it holds the last word back while more may come. */
export const begun = 'The first';

const pictures = fileURLToPath(new URL('output', import.meta.url));

export async function openWindow({ context, drivers, url, folder }: WindowOptions): Promise<Window> {
  const page = await context.newPage();
  await page.goto(url);
  const inside = await drivers.insideOf(folder);
  await enableChat(inside);
  const send = async (question: Question): Promise<void> => {
    await inside(async ({ commands }, { text: query, model: modelSelector }) => {
      await commands.executeCommand('workbench.action.chat.newChat');
      await commands.executeCommand('workbench.action.chat.open', { query, mode: 'agent', modelSelector });
    }, question);
  };
  const shown = () => shownIn(page);
  return {
    folder,
    page,
    inside,
    send,
    shown,
    ask: async (question) => {
      await send(question);
      return shown();
    },
    meter: () => readMeter(page),
    picture: async (name) => {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}.png` });
    },
  };
}

/** Copilot Chat ships switched off, and comes on where its own dialog is never asked to. */
async function enableChat(inside: Inside): Promise<void> {
  await inside(async (vscode) => {
    // It has no part for web workers.
    if ('WorkerGlobalScope' in globalThis) return;
    const id = 'GitHub.copilot-chat';
    await vscode.commands.executeCommand('workbench.extensions.installExtension', id, { enable: true });
    await new Promise<void>((resolve) => {
      const look = () => vscode.extensions.getExtension(id) !== undefined && resolve();
      vscode.extensions.onDidChange(look);
      look();
    });
    await vscode.extensions.getExtension(id)?.activate();
  });
}

async function shownIn(page: Page): Promise<Shown> {
  const over = page.locator('.interactive-response.chat-most-recent-response:not(.chat-response-loading)');
  const allow = page.getByRole('button', { name: /^Allow/ }).first();
  for (;;) {
    await over.or(allow).first().waitFor({ timeout: 60_000 });
    if (await over.isVisible()) break;
    // It may just have gone, and the next one is asked for the same way.
    await allow.click(soon).catch(() => {});
  }
  // What tools show of themselves is no part of the answer.
  const texts = over.locator('.value .chat-markdown-part:not(.chat-tool-invocation-part *)');
  const [error] = await over.locator('.chat-notification-widget').allInnerTexts();
  return {
    texts: (await texts.allTextContents()).map((text) => text.trim()),
    thoughts: await over.locator('.chat-thinking-item').allTextContents(),
    error: error ?? '',
  };
}

async function readMeter(page: Page): Promise<string> {
  await page.locator('.chat-context-usage-widget').click();
  const details = page.locator('.chat-context-usage-details').first();
  const text = await details.innerText();
  await page.keyboard.press('Escape');
  return text;
}
