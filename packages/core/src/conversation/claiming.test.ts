import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { isSideRequest } from './claiming.ts';

const tools: readonly ToolDefinition[] = [{ name: 'read', description: '', inputSchema: { type: 'object' } }];
const asks = (text: string, given = tools) => {
  const said = (role: 'user' | 'assistant', words: string) => ({
    role,
    content: [{ type: 'text' as const, text: words }],
  });
  return isSideRequest({
    messages: [said('user', 'hi'), said('assistant', 'hello'), said('user', text)],
    tools: given,
  });
};

describe('a request beside the conversation', () => {
  it.each([
    [
      'Claude Code',
      '[SUGGESTION MODE: Suggest what the user might naturally type next into Claude Code.]\n\nFIRST: Look at',
    ],
    [
      'Qwen Code',
      '[SUGGESTION MODE: Suggest what the user might naturally type next.]\n\nFIRST: Read the LAST FEW LINES',
    ],
  ])('is what %s suggests to the user, with all tools', (_, text) => {
    expect(asks(text)).toBe(true);
  });

  it.each([
    ['Zed', 'Generate a concise 3-7 word title for this conversation, omitting punctuation. Go straight to the title'],
    [
      'NextChat',
      'Please generate a four to five word title summarizing our conversation without any lead-in, punctuation',
    ],
  ])('is a title that %s asks for without tools', (_, text) => {
    expect(asks(text, [])).toBe(true);
    expect(asks(text)).toBe(false);
  });

  it.each([
    'Write a title page for my thesis.',
    'What would be a good title for our chat?',
    'Provide a detailed prompt for continuing our conversation above. Focus on what we did.',
    'Your task is to create a detailed summary of the conversation so far, paying close attention to my requests.',
    `Here is a short text on the title of a thread. ${'It goes on. '.repeat(200)}`,
    'What does [SUGGESTION MODE: mean?',
  ])('is not what a person says, nor a summary that takes its place: %s', (text) => {
    expect(asks(text, [])).toBe(false);
  });

  it('is no result of a call', () => {
    const result = {
      role: 'tool' as const,
      callId: 'c',
      content: [{ type: 'text' as const, text: '[SUGGESTION MODE: x]' }],
    };
    expect(isSideRequest({ messages: [result], tools })).toBe(false);
  });
});
