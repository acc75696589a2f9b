import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type PanelBrowser, startPanelBrowser } from './open-page.ts';

// How long frames take while an answer of 10,000 deltas is written, in a real browser. It prints numbers and judges none of them:
// they are this machine's. `npm run test:obsidian -- frames`.

const deltas = 10_000;
/** So many come between two frames of a screen, about a thousand a second. */
const aFrame = 16;

/** As long as a token of a model. */
const aDelta = 5;

const sentence = (at: number) => `Word ${at} and *some* more of **it** with [[Note ${at}]]. `;

/** Lines that answers are made of which are hard to draw in different ways. */
const answers: Readonly<Record<string, (line: number) => string>> = {
  'prose in paragraphs': (line) => `${sentence(line).repeat(6)}\n\n`,
  'one paragraph': sentence,
  'one list': (line) => `- item **${line}** of [[Note]]\n`,
  'one block of code': (line) => (line === 0 ? '```js\n' : `const value${line} = compute(${line});\n`),
  'one table': (line) => (line === 0 ? '| a | b |\n|---|---|\n' : `| cell ${line} | *other* |\n`),
  'thoughts, then prose': (line) => `${sentence(line).repeat(6)}\n\n`,
};

function piecesOf(lineOf: (line: number) => string): readonly string[] {
  let text = '';
  for (let line = 0; text.length < deltas * aDelta; line += 1) text += lineOf(line);
  return Array.from({ length: deltas }, (_, at) => text.slice(at * aDelta, (at + 1) * aDelta));
}

let browser: PanelBrowser;
afterEach(() => browser.closePages());
const rows: string[] = [];
beforeAll(async () => {
  browser = await startPanelBrowser();
});
afterAll(async () => {
  process.stdout.write(
    `\nframes while ${deltas} deltas come, ${aFrame} a frame, below a chat of 60 messages; ms\n` +
      `| answer | characters | frames | median | 95% | 99% | longest | our work, median | 99% | longest |\n` +
      `|---|---|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n\n`,
  );
  await browser.close();
});

it.each(Object.entries(answers))('D-077: %s', async (name, lineOf) => {
  const messages = Array.from({ length: 30 }, (_, at) => [
    { role: 'user', content: `Question ${at}?` } as const,
    { role: 'assistant', content: sentence(at).repeat(20) } as const,
  ]).flat();
  const page = await browser.open({ chats: [{ messages }], context: 120_000, width: 480, height: 800 });
  await page.evaluate(async () => window.world.panel.open((await window.world.store.list())[0]?.id));
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go.');
  await page.keyboard.press('Enter');
  const pieces = piecesOf(lineOf);
  const thinks = name.startsWith('thoughts') ? deltas / 2 : 0;
  const { frames, works } = await page.evaluate(
    async ({ given, perFrame, thought }) => {
      const frames: number[] = [];
      const works: number[] = [];
      const draw = window.requestAnimationFrame.bind(window);
      // What is asked for here is our own drawing: its time is that of script and of the layout that it needs.
      window.requestAnimationFrame = (callback) =>
        draw((time) => {
          const from = performance.now();
          callback(time);
          works.push(performance.now() - from);
        });
      let last = await new Promise<number>(draw);
      for (let at = 0; at < given.length; at += perFrame) {
        for (const [index, text] of given.slice(at, at + perFrame).entries()) {
          if (at + index < thought) window.world.give({ type: 'reasoning-delta', block: 0, text });
          else window.world.text(text);
        }
        const time = await new Promise<number>(draw);
        frames.push(time - last);
        last = time;
      }
      window.world.end();
      return { frames, works };
    },
    { given: pieces, perFrame: aFrame, thought: thinks },
  );
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  const said = pieces.slice(thinks).join('');
  const kept = await page.evaluate(async () => {
    const [chat] = await window.world.store.list();
    return (await window.world.store.open(chat?.id ?? '')).messages.at(-1)?.content;
  });
  expect(kept).toBe(said);
  const at = (list: readonly number[], share: number) =>
    (
      list.toSorted((one, other) => one - other)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0
    ).toFixed(1);
  const spread = (list: readonly number[]) => [at(list, 0.5), at(list, 0.95), at(list, 0.99), at(list, 1)];
  const [median, , late, longest] = spread(works);
  rows.push(`| ${[name, said.length, frames.length, ...spread(frames), median, late, longest].join(' | ')} |`);
});
