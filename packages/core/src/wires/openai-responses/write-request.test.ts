import { loadOpenresponsesSchema } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../chat/request.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const schema = loadOpenresponsesSchema();

type Body = Readonly<Record<string, unknown>>;

/** A Responses body on its way through: read from the client, written for the upstream, and held to the schema. */
function passed(body: object, quirks: Readonly<Record<string, boolean>> = {}): Body {
  const written = writeRequest(readRequest({ model: 'm', input: 'Hi', ...body }), 'real', quirks);
  expect(schema?.check('CreateResponseBody', written.body) ?? []).toEqual([]);
  expect(written.path).toBe('/responses');
  return JSON.parse(JSON.stringify(written.body));
}

const plain: ChatRequest = readRequest({ model: 'm', input: 'Hi' });

describe('a request for an upstream', () => {
  it('has typed content, flat tools, asks for a stream and stores nothing', () => {
    expect(
      passed({
        instructions: 'Be brief.',
        input: [
          { role: 'developer', content: 'd' },
          { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' }] },
          { type: 'reasoning', summary: [], encrypted_content: 'xyz' },
          { role: 'assistant', content: 'I read.', phase: 'commentary' },
          { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"a":1.50}' },
          { type: 'function_call_output', call_id: 'c1', output: '' },
        ],
        tools: [{ type: 'function', name: 'read', description: 'd', parameters: { type: 'object' } }],
        tool_choice: 'required',
        parallel_tool_calls: false,
        temperature: 0,
        max_output_tokens: 50,
        reasoning: { effort: 'low', summary: 'auto' },
        metadata: { a: 'b' },
        include: ['reasoning.encrypted_content'],
        previous_response_id: 'resp_1',
        store: true,
      }),
    ).toEqual({
      model: 'real',
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'd' }] },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' }],
        },
        { type: 'reasoning', summary: [], encrypted_content: 'xyz' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I read.', annotations: [] }],
          phase: 'commentary',
        },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"a":1.50}' },
        { type: 'function_call_output', call_id: 'c1', output: '' },
      ],
      tools: [{ type: 'function', name: 'read', description: 'd', parameters: { type: 'object' }, strict: false }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      temperature: 0,
      max_output_tokens: 50,
      reasoning: { effort: 'low', summary: 'auto' },
      metadata: { a: 'b' },
      include: ['reasoning.encrypted_content'],
      store: false,
      stream: true,
    });
  });

  it('E-013 C-137 gives back call ids, arguments and results as they came, in their order', () => {
    const items = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'function_call', call_id: 'a', name: 'x', arguments: '{ "n": 12345678901234567890 }' },
      { type: 'function_call', call_id: 'b', name: 'y', arguments: '{}' },
      { type: 'function_call_output', call_id: 'b', output: 'two' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: '1' },
          { type: 'input_text', text: '2' },
        ],
      },
    ];
    expect(passed({ input: items }).input).toEqual(items);
  });

  it('follows the quirks of a server', () => {
    const body = {
      input: [
        { role: 'system', content: 'one' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'late' },
      ],
      instructions: 'zero',
      tools: [{ type: 'function', name: 'a', strict: true }],
      parallel_tool_calls: false,
    };
    const usual = passed(body);
    expect(usual).toMatchObject({ instructions: 'zero', store: false, parallel_tool_calls: false });
    expect(usual.tools).toMatchObject([{ strict: true }]);
    const quirky = passed(body, {
      noParallelToolCalls: true,
      systemAsInstructions: true,
      noReasoningHistory: true,
    });
    expect(quirky).toMatchObject({
      instructions: 'zero\n\none',
      input: [{ role: 'user' }, { role: 'developer', content: [{ text: 'late' }] }],
    });
    expect(quirky).not.toHaveProperty('parallel_tool_calls');
  });

  it('reports what it cannot say', () => {
    const request: ChatRequest = {
      ...plain,
      messages: [
        { role: 'system', content: [{ type: 'image', url: 'data:x' }] },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      sampling: { stop: ['x'], seed: 1 },
      extra: { 'openai-chat': { logit_bias: {} } },
    };
    const { warnings, body } = writeRequest(request, 'real', {});
    expect(warnings.map(({ code }) => code)).toEqual([
      'field-dropped',
      'part-dropped',
      'field-dropped',
      'field-dropped',
    ]);
    expect(body).not.toHaveProperty('stop');
  });

  it('shows free tools and groups as functions', () => {
    const { tools, input } = passed({
      tools: [
        { type: 'custom', name: 'patch' },
        { type: 'namespace', name: 'db', tools: [{ type: 'function', name: 'query' }] },
      ],
      input: [
        { role: 'user', content: 'go' },
        { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'y' },
      ],
    });
    expect(tools).toMatchObject([
      { type: 'function', name: 'patch' },
      { type: 'function', name: 'db__query' },
    ]);
    expect(input).toMatchObject([{}, { type: 'function_call', arguments: '{"input":"x"}' }, { output: 'y' }]);
  });
});
