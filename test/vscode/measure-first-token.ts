import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import type { Question, Window } from './open-window.ts';

/** Milliseconds, medians. */
export interface FirstToken {
  /** From the key press until the model's server has the request: nearly all of it is Copilot Chat's. */
  readonly toServer: number;
  /** From then, when the server answers at once, until the chat view shows the answer. */
  readonly toView: number;
  /** From an extension's asking for an answer until it has the first of it: what VS Code and the provider take. */
  readonly asked: number;
}

export interface Measuring {
  readonly window: Window;
  /** The server that the model runs on, which speaks Chat Completions. */
  readonly upstream: ScriptedUpstream;
  readonly model: Question['model'];
}

const turns = 5;
const questions = 20;

/** Sends the same question some times with the Enter key, then asks it some times as an extension. */
export async function measureFirstToken(measuring: Measuring): Promise<FirstToken> {
  const times: { readonly toServer: number; readonly toView: number }[] = [];
  for (let turn = 0; turn < turns; turn += 1) times.push(await pressEnter(measuring));
  return {
    toServer: median(times.map(({ toServer }) => toServer)),
    toView: median(times.map(({ toView }) => toView)),
    asked: median(await askInside(measuring)),
  };
}

async function pressEnter({ window: { page, inside }, upstream, model }: Measuring) {
  await inside(async ({ commands }, modelSelector) => {
    await commands.executeCommand('workbench.action.chat.newChat');
    const partial = { query: '', isPartialQuery: true, mode: 'agent', modelSelector };
    await commands.executeCommand('workbench.action.chat.open', partial);
  }, model);
  await page.locator('.interactive-input-editor:visible').click();
  await page.keyboard.type('Say hello.');
  let arrived = 0;
  upstream.next(() => {
    arrived = performance.now();
    return chatStream('Hello.');
  });
  const pressed = performance.now();
  await page.keyboard.press('Enter');
  await page.locator('.interactive-response .chat-markdown-part').first().waitFor();
  const shown = performance.now();
  await page.locator('.interactive-response:not(.chat-response-loading)').waitFor();
  return { toServer: arrived - pressed, toView: shown - arrived };
}

async function askInside({ window: { inside }, upstream, model }: Measuring): Promise<readonly number[]> {
  upstream.next(...Array.from({ length: questions }, () => chatStream('Hello.')));
  return inside(
    async ({ lm, LanguageModelChatMessage }, { selector, count }) => {
      const [found] = await lm.selectChatModels(selector);
      const times: number[] = [];
      for (let question = 0; question < count; question += 1) {
        const from = performance.now();
        const response = await found?.sendRequest([LanguageModelChatMessage.User('Say hello.')]);
        let first: number | undefined;
        for await (const _ of response?.stream ?? []) first ??= performance.now();
        times.push((first ?? Number.NaN) - from);
      }
      return times;
    },
    { selector: model, count: questions },
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
