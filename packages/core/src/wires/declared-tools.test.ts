import { describe, expect, it } from 'vitest';
import { clientWires } from './registry.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const forms = {
  nested: { type: 'function', function: { name: 'read', parameters: schema } },
  untyped: { function: { name: 'read', parameters: schema } },
  flat: { type: 'function', name: 'read', parameters: schema },
  anthropic: { name: 'read', input_schema: schema },
  custom: { type: 'custom', name: 'read', input_schema: schema },
};
const messages = [{ role: 'user', content: 'hi' }];

/** The forms that each API reads; all others are refused. */
const own: readonly (readonly [string, object, readonly (keyof typeof forms)[]])[] = [
  ['openai-chat', { messages }, ['nested', 'untyped']],
  ['ollama-chat', { messages }, ['nested', 'untyped']],
  ['anthropic-messages', { messages, max_tokens: 9 }, ['anthropic', 'custom']],
  ['openai-responses', { input: 'hi' }, ['flat']],
];

describe.each(own)('tools of a request to %s', (id, body, read) => {
  const wire = clientWires.get(id);
  const readTools = (tools: readonly object[]) => wire?.readRequest({ model: 'm', ...body, tools }).tools;

  it.each(Object.entries(forms))(
    'in the form "%s" are read with their schema, or refused with the place',
    (form, tool) => {
      if (read.some((each) => each === form)) {
        expect(readTools([tool])).toMatchObject([{ name: 'read', inputSchema: schema }]);
      } else {
        const valid = forms[read[0] ?? 'nested'];
        expect(() => readTools([{ ...valid, name: 'other' }, tool])).toThrow(
          /^tools\[1\]: has the form of .*; write \{/,
        );
      }
    },
  );

  it('that cannot be read are left out beside one that can, and refused where there is no other', () => {
    const malformed = { type: id === 'anthropic-messages' ? 'custom' : 'function' };
    const valid = forms[read[0] ?? 'nested'];
    expect(readTools([malformed, valid])).toMatchObject([{ name: 'read' }]);
    expect(() => readTools([malformed])).toThrow(/^tools\[0\]: it has no (function|name); write \{/);
  });
});

it('`functions` of the older API are flat', () => {
  const chat = clientWires.get('openai-chat');
  expect(() => chat?.readRequest({ model: 'm', messages, functions: [forms.nested] })).toThrow(
    /^functions\[0\]: has the form of Chat Completions; write/,
  );
});
