import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { askTextModel, findDialect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { readCallOptions, writeCallOptions } from './call-options.ts';
import { KeptParts } from './kept-parts.ts';

const read = { type: 'function', name: 'read', inputSchema: { type: 'object', properties: {} } } as const;
const call = (toolCallId: string, input: unknown) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName: 'read',
  input,
});

function told(options: LanguageModelV4CallOptions) {
  const kept = new KeptParts();
  const request = readCallOptions(options, { kept, model: 'some', stream: true });
  const turn = askTextModel(request, { dialect: findDialect('hermes'), rule: { images: true } });
  return { written: writeCallOptions(options, turn.request, kept), warnings: [...request.warnings, ...turn.warnings] };
}

/** What the user message says that tells results. */
function resultsOf(prompt: LanguageModelV4Prompt): string {
  const { written } = told({ prompt, tools: [read] });
  const last = written.prompt.at(-1);
  const [part] = last?.role === 'user' ? last.content : [];
  return part?.type === 'text' ? part.text : '';
}

describe('call options', () => {
  it('keep what only the provider understands: files, options, tools of its own, how it samples', () => {
    const cached = { some: { cache: true } };
    const file = { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'AQID' } } as const;
    const own = { type: 'provider', id: 'some.search', name: 'search', args: {} } as const;
    const { written, warnings } = told({
      prompt: [
        { role: 'system', content: 'Be brief.', providerOptions: cached },
        { role: 'user', content: [{ type: 'text', text: 'Sum it up.', providerOptions: cached }, file] },
      ],
      tools: [read, own],
      toolChoice: { type: 'required' },
      temperature: 0.5,
      stopSequences: ['END'],
      providerOptions: cached,
    });
    expect(warnings).toEqual([]);
    expect(written).toMatchObject({ tools: [own], temperature: 0.5, stopSequences: ['END'], providerOptions: cached });
    expect(written).not.toHaveProperty('toolChoice');
    const user = written.prompt.find(({ role }) => role === 'user');
    expect(user?.content).toEqual([{ type: 'text', text: 'Sum it up.', providerOptions: cached }, file]);
  });

  it.each([
    [{ type: 'text', value: 'plain' }, 'plain'],
    [{ type: 'json', value: { lines: [1, 2] } }, '{"lines":[1,2]}'],
    [{ type: 'error-text', value: 'no such file' }, 'Error: no such file'],
    [{ type: 'error-json', value: { code: 2 } }, 'Error: {"code":2}'],
    [{ type: 'execution-denied', reason: 'too risky' }, 'Error: The user did not allow this call: too risky'],
    [{ type: 'execution-denied' }, 'Error: The user did not allow this call'],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'A plot:' },
          { type: 'file', mediaType: 'image/png', filename: 'a.png', data: { type: 'data', data: 'AQID' } },
        ],
      },
      'A plot:\n[a.png: image/png]',
    ],
  ] as const)('tell a result %o', (output, text) => {
    const prompt: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      { role: 'assistant', content: [call('c1', { path: 'a' })] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: JSON.parse(JSON.stringify(output)) },
        ],
      },
    ];
    expect(resultsOf(prompt)).toBe(`<tool_response>\n${text}\n</tool_response>`);
  });

  it('tell calls with whatever input they had, also one that was no JSON', () => {
    const { written } = told({
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Both.' }, call('c1', { path: 'a' }), call('c2', undefined)],
        },
      ],
      tools: [read],
    });
    const said = written.prompt.find(({ role }) => role === 'assistant');
    const [part] = said?.role === 'assistant' ? said.content : [];
    const text = part?.type === 'text' ? part.text : '';
    expect(text.startsWith('Both.\n')).toBe(true);
    expect(text).toContain('"arguments": {"path":"a"}');
    expect(text).toContain('"arguments": {}');
  });

  it('say what cannot be told', () => {
    const { warnings } = told({
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
        { role: 'assistant', content: [{ type: 'custom', kind: 'some.thing' }] },
      ],
    });
    expect(warnings).toMatchObject([{ code: 'part-dropped', message: expect.stringContaining('"custom"') }]);
  });
});
