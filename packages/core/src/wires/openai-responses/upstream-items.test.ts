import { chatRequest, loadOpenresponsesSchema, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { DragomanError } from '../../errors.ts';
import type { JsonObject } from '../read-values.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const schema = loadOpenresponsesSchema();
const text = (words: string) => [{ type: 'text' as const, text: words }];
const user: Message = { role: 'user', content: text('Hi') };
const call = { type: 'tool-call' as const, callId: 'c1', name: 'read', arguments: '{"path":"a"}' };
const png = `data:image/*;base64,${btoa('\x89PNG\r\n\x1a\nrest')}`;

interface Written {
  readonly input: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
}

/** What is sent to an upstream, held to the published schema. */
function write(request: Partial<ChatRequest>): {
  readonly body: Written & JsonObject;
  readonly codes: readonly string[];
} {
  const written = writeRequest(chatRequest({ messages: [user], ...request }), 'real', {});
  expect(schema?.check('CreateResponseBody', written.body) ?? []).toEqual([]);
  expect(written.path).toBe('/responses');
  return { body: JSON.parse(JSON.stringify(written.body)), codes: written.warnings.map(({ code }) => code) };
}

const itemsOf = (...messages: Message[]) => write({ messages }).body.input;

describe('items for an upstream', () => {
  it('C-020 go to /responses below the base URL', () => {
    expect(writeRequest(chatRequest({ messages: [user] }), 'real', {}).path).toBe('/responses');
  });

  it('C-021 C-023 are messages with the role and the part type that belong together', () => {
    const said: Message = { role: 'assistant', content: text('Hello') };
    expect(itemsOf({ role: 'system', content: text('s') }, user, said)).toEqual([
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 's' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] },
    ]);
  });

  it('C-022 C-025 never mix input and output parts, and keep the schema, whatever the conversation', () => {
    const words = fc.string({ maxLength: 20 });
    const message: fc.Arbitrary<Message> = fc.oneof(
      words.map((one): Message => ({ role: 'system', content: text(one) })),
      words.map((one): Message => ({ role: 'user', content: [...text(one), { type: 'image', url: png }] })),
      words.map((one): Message => ({ role: 'tool', callId: 'c1', content: text(one) })),
      words.map(
        (one): Message => ({ role: 'assistant', content: [{ type: 'reasoning', text: one }, ...text(one), call] }),
      ),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), (messages) => {
        for (const item of write({ messages }).body.input) {
          if (item.type !== 'message' || !Array.isArray(item.content)) continue;
          const wanted = item.role === 'assistant' ? ['output_text'] : ['input_text', 'input_image'];
          for (const part of item.content) expect(wanted).toContain(part.type);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('C-024 declare tools flat', () => {
    const { tools } = write({ tools: [{ name: 'read', description: 'd', inputSchema: { type: 'object' } }] }).body;
    expect(tools).toEqual([
      { type: 'function', name: 'read', description: 'd', parameters: { type: 'object' }, strict: false },
    ]);
  });

  it('C-026 C-027 name a call and its output by one id, and send an empty output, too', () => {
    for (const content of [text(''), []]) {
      expect(itemsOf(user, { role: 'assistant', content: [call] }, { role: 'tool', callId: 'c1', content })).toEqual([
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call_output', call_id: 'c1', output: '' },
      ]);
    }
  });

  it('C-030 hold images with the type of their bytes, and a note where that is not known', () => {
    const { body, codes } = write({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', url: png },
            { type: 'image', url: 'data:image/*;base64,AAAA' },
          ],
        },
      ],
    });
    expect(body.input[0]?.content).toEqual([
      { type: 'input_image', image_url: png.replace('image/*', 'image/png'), detail: 'auto' },
      { type: 'input_text', text: '[image of an unknown kind left out]' },
    ]);
    expect(codes).toEqual(['part-dropped']);
  });

  it('C-032 leave empty messages out, and are valid with system text alone', () => {
    expect(itemsOf({ role: 'system', content: [] }, { role: 'user', content: [] }, user)).toHaveLength(1);
    expect(itemsOf({ role: 'system', content: text('only this') })).toHaveLength(1);
    expect(itemsOf(user, { role: 'assistant', content: [] })).toHaveLength(1);
  });

  it('C-033 keep the marks of chat templates in what a user wrote', () => {
    const code = 'print("<|im_start|>system\\n<tool_call>")';
    expect(itemsOf({ role: 'user', content: text(code) })).toMatchObject([{ content: [{ text: code }] }]);
  });

  it('C-034 say the choice of a tool only where there are tools', () => {
    const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
    expect(write({ tools, toolChoice: 'required' }).body.tool_choice).toBe('required');
    expect(write({ tools, toolChoice: 'none' }).body.tool_choice).toBe('none');
    expect(write({ tools, toolChoice: { name: 'read' } }).body.tool_choice).toEqual({ type: 'function', name: 'read' });
    expect(write({ tools }).body).not.toHaveProperty('tool_choice');
    expect(write({ toolChoice: 'required' }).body).not.toHaveProperty('tool_choice');
  });

  it('ask for no fewer tokens than the API takes, and tell it', () => {
    const { body, codes } = write({ sampling: { maxTokens: 1 } });
    expect(body.max_output_tokens).toBe(16);
    expect(codes).toEqual(['field-dropped']);
    expect(write({ sampling: { maxTokens: 16 } }).codes).toEqual([]);
  });

  it('C-035 C-036 have options only where they were sent', () => {
    const { body } = write({ sampling: { temperature: 0.7, topP: 0.5, maxTokens: 100 }, reasoningEffort: 'high' });
    expect(body).toMatchObject({ model: 'real', stream: true, temperature: 0.7, top_p: 0.5, max_output_tokens: 100 });
    expect(body.reasoning).toEqual({ effort: 'high' });
    for (const field of ['temperature', 'top_p', 'max_output_tokens', 'reasoning']) {
      expect(write({}).body).not.toHaveProperty(field);
    }
  });

  it.each([
    ['17 pairs', Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']))],
    ['a long name', { ['k'.repeat(65)]: 'v' }],
    ['a long value', { k: 'v'.repeat(513) }],
    ['a value that is no string', { k: 1 }],
  ])('C-037 never carry metadata with %s: it is refused', (_, metadata) => {
    const refused = expect.objectContaining({ code: 'bad-request', param: expect.stringContaining('metadata') });
    expect(() => readRequest({ model: 'm', input: 'Hi', metadata })).toThrow(refused);
  });

  it('C-040 take text as a string and as parts, which mean the same', () => {
    const asString = readRequest({ model: 'm', input: [{ role: 'user', content: 'Hi' }] });
    const asParts = readRequest({
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    });
    expect(asString).toEqual(asParts);
    expect(write(asString).body.input).toEqual(write(asParts).body.input);
  });

  it('C-041 carry the options of a provider as the client sent them', () => {
    const providerOptions = { gateway: { models: ['a', 'b'] } };
    const { extra } = readRequest({ model: 'm', input: 'Hi', providerOptions });
    expect(write({ extra }).body).toMatchObject({ providerOptions });
  });
});

describe('fields beside the items', () => {
  it.each([
    ['truncation', { truncation: 'some' }],
    ['max_tool_calls', { max_tool_calls: 0 }],
    ['top_logprobs', { top_logprobs: 21 }],
    ['service_tier', { service_tier: 1 }],
    ['stream_options', { stream_options: 'x' }],
    ['include[1]', { include: ['reasoning.encrypted_content', 1] }],
    ['text', { text: 'x' }],
  ])('are refused where they break the letter of the API: %s', (param, fields) => {
    expect(() => readRequest({ model: 'm', input: 'Hi', ...fields })).toThrow(DragomanError);
    expect(() => readRequest({ model: 'm', input: 'Hi', ...fields })).toThrow(expect.objectContaining({ param }));
  });

  it('are carried to an upstream of this wire', () => {
    const fields = {
      truncation: 'auto',
      max_tool_calls: 3,
      include: ['reasoning.encrypted_content'],
      service_tier: 'flex',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      user: 'u',
      text: { verbosity: 'low' },
    };
    const { extra } = readRequest({ model: 'm', input: 'Hi', ...fields });
    expect(writeRequest(chatRequest({ messages: [user], extra }), 'real', {}).body).toMatchObject(fields);
  });
});
