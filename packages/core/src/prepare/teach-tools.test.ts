import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect, ToolPrompt } from '../dialects/dialect.ts';
import { dialects } from '../dialects/registry.ts';
import { teachTools } from './render-history.ts';

const read = (description: string): ToolDefinition => ({
  name: 'read',
  description,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
});

/** A dialect that counts how often it renders. */
function counting(): { dialect: Dialect; rendered: () => number } {
  const [first] = dialects.values();
  if (first === undefined) throw new Error('there is no dialect');
  let rendered = 0;
  const renderTools = (tools: readonly ToolDefinition[], prompt: ToolPrompt) => {
    rendered += 1;
    return first.renderTools(tools, prompt);
  };
  return { dialect: { ...first, renderTools }, rendered: () => rendered };
}

describe('teachTools', () => {
  const auto = { choice: 'auto', parallel: true } as const;

  it('B-016 renders equal tools once, and again after any change', () => {
    const { dialect, rendered } = counting();
    const texts = [
      teachTools(dialect, { tools: [read('Reads.')], ...auto }),
      teachTools(dialect, { tools: [read('Reads.')], ...auto }),
    ];
    expect(rendered()).toBe(1);
    expect(texts[0]).toBe(texts[1]);
    expect(teachTools(dialect, { tools: [read('Reads a file.')], ...auto })).toContain('Reads a file.');
    expect(rendered()).toBe(2);
    teachTools(dialect, { tools: [read('Reads.')], choice: 'required', parallel: true });
    teachTools(dialect, { tools: [read('Reads.')], choice: 'auto', parallel: false });
    expect(rendered()).toBe(4);
  });

  it('B-016 remembers a bounded number of tool sets, the latest ones', () => {
    const { dialect, rendered } = counting();
    const teach = (index: number) => teachTools(dialect, { tools: [read(`Number ${index}.`)], ...auto });
    for (let index = 0; index < 17; index += 1) teach(index);
    expect(rendered()).toBe(17);
    teach(16);
    expect(rendered()).toBe(17);
    teach(0);
    expect(rendered()).toBe(18);
  });
});

describe.each([...dialects.values()])('what $id teaches', (dialect) => {
  const auto = { choice: 'auto', parallel: true } as const;

  it('B-020 tells the form of a call, every rule and the tools', () => {
    const text = teachTools(dialect, { tools: [read('Reads a file.')], ...auto });
    const call = { callId: 'c', ordinal: 0, name: 'TOOL_NAME', arguments: '{"PARAMETER":"value"}' };
    const opener = dialect.renderCalls([call], []).split('TOOL_NAME')[0] ?? '';
    expect(text).toContain(opener);
    for (const rule of [
      'Call a tool when it helps',
      'text and calls can be in one reply',
      'never write or guess a result',
      'Their results come in the next message',
      'by their exact names',
      'give every required parameter',
      'Reads a file.',
    ]) {
      expect(text, rule).toContain(rule);
    }
  });

  it('B-021 speaks of one or several calls, as the policy says', () => {
    const many = teachTools(dialect, { tools: [read('Reads.')], ...auto });
    const one = teachTools(dialect, { tools: [read('Reads.')], choice: 'auto', parallel: false });
    expect(many).toContain('several calls in one reply');
    expect(many).not.toContain('at most one call');
    expect(one).toContain('at most one call in a reply, then wait for its result');
    expect(one).not.toContain('several calls in one reply');
  });

  it('B-029 B-008 is nothing without tools, or when none may be called', () => {
    expect(teachTools(dialect, { tools: [read('Reads.')], ...auto })).toContain('Reads.');
    expect(teachTools(dialect, { tools: [], ...auto })).toBe('');
    expect(teachTools(dialect, { tools: [read('Reads.')], choice: 'none', parallel: true })).toBe('');
  });
});
