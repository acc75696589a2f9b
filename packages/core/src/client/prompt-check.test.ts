import { chatRequest } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import type { ChatEvent, Usage } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { createPromptCheck } from './prompt-check.ts';

const truncates = true;
const text = (length: number) => 'four'.repeat(length / 4);
const asking = (length: number) =>
  chatRequest({
    messages: [
      { role: 'user', content: [{ type: 'text', text: text(length) }] },
      { role: 'assistant', content: [{ type: 'reasoning', text: text(40_000) }] },
      { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
    ],
    tools: [{ name: 'read', description: text(40_000), inputSchema: true }],
  });

/** The types of what comes out of a reply to a prompt of so many characters, four for each token. */
async function outcome(
  length: number,
  usage: Pick<Usage, 'inputTokens' | 'truncates'>,
  endsEarly = false,
): Promise<readonly string[]> {
  const events: ChatEvent[] = [];
  let counted = 0;
  let isWaiting = false;
  await new Promise<void>((resolve, reject) => {
    const stage = createPromptCheck({
      request: asking(length),
      countTokens: async (prompt) => {
        counted += 1;
        return Math.ceil(prompt.join('').length / 4);
      },
      endsEarly: () => endsEarly,
      waiting: () => {
        isWaiting = true;
      },
      settled: (thrown) => (thrown === undefined ? resolve() : reject(thrown)),
    })((event) => events.push(event));
    const writer = new EventWriter((event) => stage.push(event));
    writer.start('id', 'm', usage.truncates);
    writer.text('fine');
    writer.usage({ outputTokens: 2, source: 'upstream', ...usage });
    writer.end('stop');
    stage.end();
    if (!isWaiting) resolve();
  });
  const last = events.at(-1);
  return [`counted ${counted}`, last?.type === 'error' ? `error ${last.error.message}` : String(last?.type)];
}

it('a prompt of which a server that truncates has read too little ends with an error that has both numbers', async () => {
  const [counted, error] = await outcome(8000, { inputTokens: 1024, truncates });
  expect(counted).toBe('counted 1');
  expect(error).toMatch(/^error .*it read 1024 of about 200[0-9] tokens/);
});

it('what a template may add or a tokenizer may save is no cut, nor are tools and past reasoning', async () => {
  expect(await outcome(8000, { inputTokens: 1700, truncates })).toEqual(['counted 1', 'message-end']);
  expect(await outcome(8000, { inputTokens: 3000, truncates })).toEqual(['counted 0', 'message-end']);
  expect(await outcome(600, { inputTokens: 5, truncates })).toEqual(['counted 0', 'message-end']);
  expect(await outcome(900, { inputTokens: 5, truncates })).toEqual(['counted 1', 'message-end']);
});

it('other servers are believed, and so is the count of a reply that we ended', async () => {
  expect(await outcome(80_000, { inputTokens: 1 })).toEqual(['counted 0', 'message-end']);
  expect(await outcome(80_000, { inputTokens: 1, truncates }, true)).toEqual(['counted 0', 'message-end']);
});
