import { expect, it, vi } from 'vitest';
import type { ChatRequest } from '../chat/request.ts';
import { countPrompt } from './count-prompt.ts';

function requestOf(texts: readonly string[], tools: ChatRequest['tools']): ChatRequest {
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

it('counts tools once as long as their list is the same, and each text by itself', async () => {
  const counted: (readonly string[])[] = [];
  const countTokens = async (texts: readonly string[]) => {
    counted.push(texts);
    return texts.join('').length;
  };
  const tools = [{ name: 'read', inputSchema: true }] as const;
  const json = JSON.stringify(tools[0]);
  expect(await countPrompt(requestOf(['one'], tools), countTokens)).toBe(json.length + 3);
  expect(await countPrompt(requestOf(['one', 'two'], tools), countTokens)).toBe(json.length + 6);
  expect(counted).toEqual([[json], ['one'], ['one', 'two']]);
  expect(await countPrompt(requestOf([], tools), async () => 7)).toBe(14);
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
