import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { Drivers, Inside } from './drivers.ts';

/** What is asked in the chat view. */
export interface Question {
  readonly text: string;
  readonly model: { readonly vendor: string; readonly id: string };
  /** Default `agent`, with all its tools. */
  readonly mode?: 'agent' | 'ask';
}

/** What the chat view shows below a question when the turn is over. */
export interface Shown {
  /** The paragraphs of the answer. */
  readonly text: string;
  /** The words in the box with the red sign; empty where there is none. */
  readonly error: string;
}

/** A window of VS Code with Copilot Chat switched on. */
export interface Window {
  /** The workspace folder. */
  readonly folder: string;
  readonly page: Page;
  readonly inside: Inside;
  /** Asks in a new chat and waits until the turn is over. */
  ask(question: Question): Promise<Shown>;
  /** Keeps a picture of the window in the folder `output`. */
  picture(name: string): Promise<void>;
}

export interface WindowOptions {
  readonly context: BrowserContext;
  readonly drivers: Drivers;
  readonly url: string;
  readonly folder: string;
}

const pictures = fileURLToPath(new URL('output', import.meta.url));

export async function openWindow({ context, drivers, url, folder }: WindowOptions): Promise<Window> {
  const page = await context.newPage();
  await page.goto(url);
  const inside = await drivers.insideOf(folder);
  await enableChat(inside);
  return {
    folder,
    page,
    inside,
    ask: async (question) => {
      await inside(async ({ commands }, { text: query, model: modelSelector, mode }) => {
        await commands.executeCommand('workbench.action.chat.newChat');
        const turn = { query, mode: mode ?? 'agent', modelSelector, blockOnResponse: true };
        await commands.executeCommand('workbench.action.chat.open', turn);
      }, question);
      return shownIn(page);
    },
    picture: async (name) => {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}.png` });
    },
  };
}

/** Copilot Chat ships switched off, and comes on where its own dialog is never asked to. */
async function enableChat(inside: Inside): Promise<void> {
  await inside(async (vscode) => {
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
  const response = page.locator('.interactive-response.chat-most-recent-response:not(.chat-response-loading)');
  await response.waitFor();
  const textOf = async (part: string) => (await response.locator(part).allInnerTexts()).join('\n\n');
  return { text: await textOf('.chat-markdown-part'), error: await textOf('.chat-notification-widget') };
}
