import { expect, it } from 'vitest';
import { WrittenText } from './written-text.ts';

const call = 'I look.<tool_call>{"name":"ping"}</tool_call>';
const [first, second] = [call.slice(0, 9), call.slice(9)];
const events = (...values: readonly object[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');

it.each([
  [
    'Chat Completions',
    `${events(
      { choices: [{ delta: { role: 'assistant', content: '' } }] },
      { choices: [{ delta: { content: first } }] },
      { choices: [{ delta: { content: second } }] },
    )}data: [DONE]\n\n`,
  ],
  ['Completions', events({ choices: [{ text: first }] }, { choices: [{ text: second }] })],
  ['Ollama', [first, second].map((content) => `${JSON.stringify({ message: { content } })}\n`).join('')],
  [
    'Anthropic Messages',
    `event: content_block_delta\n${events(
      { type: 'content_block_delta', delta: { type: 'text_delta', text: first } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: second } },
    )}`,
  ],
  [
    'Responses',
    events(
      { type: 'response.output_text.delta', delta: first },
      { type: 'response.output_text.delta', delta: second },
      { type: 'response.output_text.done', text: call },
      { type: 'response.completed', response: { output: [{ content: [{ text: call }] }] } },
    ),
  ],
])('is read once in what a server of %s sends, however it is cut', (_, sent) => {
  const bytes = new TextEncoder().encode(sent);
  for (const size of [1, 7, bytes.length]) {
    const written = new WrittenText();
    for (let at = 0; at < bytes.length; at += size) written.push(bytes.slice(at, at + size));
    expect(written.read()).toBe(call);
  }
});

it('has an end', () => {
  const written = new WrittenText();
  const piece = new TextEncoder().encode(events({ choices: [{ text: 'x'.repeat(100_000) }] }));
  for (let count = 0; count < 20; count += 1) written.push(piece);
  expect(written.read()).toMatch(/^x{500000}…$/);
});
