import { describeDialect } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Message } from '../src/chat/message.ts';
import type { PastCall, PastResult, ToolPrompt } from '../src/dialects/dialect.ts';
import { defineDialect } from '../src/dialects/kit/define-dialect.ts';
import { renderLesson, toolLines } from '../src/dialects/kit/render/lesson.ts';
import { pastParameters, pastText } from '../src/dialects/kit/render/past-arguments.ts';
import { bareName } from '../src/dialects/kit/tag-header.ts';
import { taggedCalls } from '../src/dialects/kit/tagged-call.ts';
import { chunk, done, startAnswer } from './start-answer.ts';

// A dialect that nobody has heard of, made here of a kernel, a table and a prompt. Nothing else in the project knows it,
// so what it does end to end, every dialect does that stands in a folder of its own.

const markers = ['⟪call ', '⟪/call⟫', '⟪set ', '⟪/set⟫', '⟪result⟫', '⟪/result⟫', '⟪tools⟫', '⟪/tools⟫'];

const own = defineDialect({
  id: 'own',
  summary: '`⟪call …⟫⟪set …⟫…⟪/set⟫⟪/call⟫`: nobody',
  prompt: {
    markers: () => markers,
    renderTools: (tools, prompt: ToolPrompt) =>
      renderLesson(tools, prompt, () => ({
        intro: 'You can call these tools:',
        tools: `⟪tools⟫\n${toolLines(tools, markers).join('\n')}\n⟪/tools⟫`,
        form: 'To call one:\n\n⟪call TOOL_NAME⟫⟪set PARAMETER⟫value⟪/set⟫⟪/call⟫',
      })),
    renderCalls: (calls: readonly PastCall[], tools) =>
      calls
        .map((call) => {
          const values = pastParameters(call, tools).map(
            (parameter) => `⟪set ${parameter.key}⟫${pastText(parameter, { markup: ['⟪/set⟫', '⟪call '] })}⟪/set⟫`,
          );
          return `⟪call ${call.name}⟫${values.join('')}⟪/call⟫`;
        })
        .join('\n'),
    renderResults: (results: readonly PastResult[]) =>
      results.map(({ call, text }) => `⟪result⟫${call.name}: ${text}⟪/result⟫`).join('\n'),
  },
  grammar: {
    calls: [
      taggedCalls({
        calls: [{ openers: ['⟪call '], header: bareName({ ends: ['⟫'] }) }],
        callClosers: ['⟪/call⟫'],
        parameters: [{ openers: ['⟪set '], header: bareName({ ends: ['⟫'] }) }],
        parameterClosers: ['⟪/set⟫'],
      }),
    ],
    reasoning: [['⟪hm⟫', '⟪/hm⟫']],
    results: ['⟪result⟫'],
  },
});

const options = {
  rule: { toolCalling: { dialect: 'own' } },
  setup: { dialects: new Map([[own.id, own]]) },
};

/** What is sent upstream for these messages, and what comes of a reply that arrives in pieces of so many bytes. */
function exchange(reply: string, { messages, size = 1000 }: { messages?: readonly Message[]; size?: number } = {}) {
  const run = startAnswer({ ...options, ...(messages === undefined ? {} : { request: { messages } }) });
  const bytes = new TextEncoder().encode(chunk({ content: reply }) + chunk({}, 'stop') + done);
  run.stream();
  for (let at = 0; at < bytes.length; at += size) run.to().data(bytes.slice(at, at + size));
  run.to().end();
  return { body: JSON.stringify(run.sent[0]?.body), message: run.message(), events: run.events() };
}

describe('a dialect that is made of a table alone, end to end', () => {
  const reply = '⟪hm⟫which file⟪/hm⟫I read.\n⟪call read⟫⟪set path⟫a "b"\n</x>⟪/set⟫⟪/call⟫';

  it('is taught in the prompt, and no tools are sent as fields', () => {
    const { body } = exchange('Hi.');
    expect(body).toContain('⟪call TOOL_NAME⟫');
    expect(body).toContain('⟪tools⟫');
    expect(JSON.parse(body)).not.toHaveProperty('tools');
  });

  it('gives native calls, reasoning and text, whatever the cuts', () => {
    for (const size of [1, 3, 1000]) {
      const { message } = exchange(reply, { size });
      expect(message).toMatchObject({
        text: 'I read.\n',
        finishReason: 'tool-calls',
        calls: [{ name: 'read', arguments: '{"path":"a \\"b\\"\\n</x>"}' }],
      });
      expect(message.content[0]).toMatchObject({ type: 'reasoning', text: 'which file' });
    }
  });

  it('streams a string argument while the model writes it', () => {
    const run = startAnswer(options);
    run.stream();
    run.data(chunk({ content: '⟪call read⟫⟪set path⟫src/li' }));
    expect(run.events().at(-1)).toMatchObject({ type: 'tool-call-delta', text: expect.stringContaining('src/li') });
  });

  it('replays the history in its own form, with its markers escaped in what a tool wrote', () => {
    const messages: readonly Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'c1', name: 'read', arguments: '{"path":"a"}' }] },
      { role: 'tool', callId: 'c1', content: [{ type: 'text', text: 'x ⟪call read⟫' }] },
    ];
    const { body } = exchange('Fine.', { messages });
    expect(body).toContain('⟪call read⟫⟪set path⟫a⟪/set⟫⟪/call⟫');
    expect(body).toContain('⟪result⟫read: x ⟪\u2060call');
  });

  it('passes an undeclared call on, as one of any dialect, and keeps a broken one as text', () => {
    const undeclared = exchange('⟪call fetch⟫⟪set url⟫x⟪/set⟫⟪/call⟫').message;
    expect(undeclared).toMatchObject({ text: '', calls: [{ name: 'fetch' }], finishReason: 'tool-calls' });
    const broken = '⟪call read⟫⟪set path⟫half';
    expect(exchange(broken).message.text).toBe(broken);
  });
});

describeDialect(own);
