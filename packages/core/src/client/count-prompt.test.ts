import { expect, it, vi } from 'vitest';
import type { ChatRequest } from '../chat/request.ts';
import { countPrompt } from './count-prompt.ts';

function requestOf(texts: readonly string[], tools: ChatRequest['tools'] = []): ChatRequest {
  return {
    model: 'm',
    messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
    tools,
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: false,
    includeUsage: false,
    sampling: {},
    extra: {},
    warnings: [],
  };
}

it('counts a prompt as a whole while it is not very long', async () => {
  const counted: string[] = [];
  const count = await countPrompt(requestOf(['one', 'two '.repeat(60_000)]), async (text) => counted.push(text));
  expect(counted).toEqual([`one\n${'two '.repeat(60_000)}`]);
  expect(count).toBe(1);
});

it.each([
  ['one long text', ['A few words. '.repeat(300_000)]],
  [
    'very many short ones',
    Array.from({ length: 10_000 }, (_, at) => `This is message ${at}, and so it goes on and on.`),
  ],
  ['a short one, and two of different kinds', ['Hi', 'word '.repeat(300_000), '-'.repeat(500_000)]],
])('counts an even sample of a very long prompt: %s', async (_, texts) => {
  const spaces = (text: string) => text.split(' ').length - 1;
  let most = 0;
  const count = await countPrompt(requestOf(texts), async (text) => {
    most = Math.max(most, text.length);
    return spaces(text);
  });
  const truth = texts.reduce((sum, text) => sum + spaces(text), 0);
  expect(most).toBeLessThanOrEqual(260_000);
  expect(count).toBeGreaterThan(truth * 0.98);
  expect(count).toBeLessThan(truth * 1.02);
});

it('writes few characters of tools in one turn, however many tools there are', async () => {
  const most = 64_000;
  const written = vi.spyOn(JSON, 'stringify');
  const lengths = [0];
  let isOver = false;
  const turn = (): void => {
    const made = written.mock.results.splice(0).map(({ value }) => String(value).length);
    lengths.push(made.reduce((sum, length) => sum + length, 0));
    if (!isOver) setImmediate(turn);
  };
  turn();
  const description = 'Says what it is for. '.repeat(500);
  const tools = Array.from(
    { length: 128 },
    (_, at) => ({ name: `tool${at}`, description, inputSchema: true }) as const,
  );
  try {
    await countPrompt(requestOf([], tools), async () => 1);
  } finally {
    isOver = true;
    written.mockRestore();
  }
  expect(lengths.filter((length) => length > 0).length).toBeGreaterThan(10);
  expect(Math.max(...lengths)).toBeLessThan(most + description.length + 100);
});
