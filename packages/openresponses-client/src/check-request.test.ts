import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkRequest } from './check-request.ts';

const found = (request: object) =>
  checkRequest({ model: 'm', input: 'Hi', ...request }).map(({ check, path }) => `${check} ${path}`);
const inMessage = (role: string, content: unknown) => found({ input: [{ type: 'message', role, content }] });

describe('C-022 content types', () => {
  it.each([
    ['user', 'output_text', 'input_text'],
    ['system', 'output_text', 'input_text'],
    ['developer', 'input_image', 'input_text'],
    ['assistant', 'input_text', 'output_text'],
    ['user', 'text', 'input_text'],
    ['user', 'image_url', 'input_image'],
  ])('in a message of the role %s refuse %s and name %s', (role, type, instead) => {
    const input = [
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'message', role, content: [{ type, text: 'a' }] },
    ];
    const [finding] = checkRequest({ input });
    expect(finding).toMatchObject({ check: 'content', path: 'input[1].content[0].type' });
    expect(finding?.problem).toContain(`"${instead}"`);
  });

  it('let through what fits, strings, and what is a server’s own', () => {
    expect(
      inMessage('user', [
        { type: 'input_text', text: '' },
        { type: 'input_image', image_url: 'data:x' },
        { type: 'acme:map' },
      ]),
    ).toEqual([]);
    expect(
      inMessage('assistant', [
        { type: 'output_text', text: '' },
        { type: 'refusal', refusal: 'No.' },
      ]),
    ).toEqual([]);
    expect(inMessage('developer', 'Be brief.')).toEqual([]);
  });

  it('are looked at in results, too', () => {
    const result = (output: unknown) => found({ input: [{ type: 'function_call_output', call_id: 'c', output }] });
    expect(result([{ type: 'output_text', text: 'a' }])).toEqual(['content input[0].output[0].type']);
    expect(result('')).toEqual([]);
    expect(result(undefined)).toEqual(['fields input[0].output']);
  });
});

describe('C-025 types', () => {
  it.each([
    ['an item', { input: [{ role: 'user', content: 'Hi' }] }, 'input[0].type'],
    ['a part', { input: [{ type: 'message', role: 'user', content: [{ text: 'Hi' }] }] }, 'input[0].content[0].type'],
    ['a part that is a string', { input: [{ type: 'message', role: 'user', content: ['Hi'] }] }, 'input[0].content[0]'],
    ['a tool', { tools: [{ name: 'f', parameters: {} }] }, 'tools[0].type'],
    ['a part of a summary', { input: [{ type: 'reasoning', summary: [{ text: 'Hm.' }] }] }, 'input[0].summary[0].type'],
    ['an item that calls itself by its role', { input: [{ type: 'user', content: 'Hi' }] }, 'input[0].type'],
    ['a choice', { tool_choice: { name: 'f' } }, 'tool_choice.type'],
  ])('are missed in %s', (_, request, path) => {
    expect(found(request)).toEqual([`types ${path}`]);
  });

  it('may be left out in a reference', () => {
    expect(found({ input: [{ id: 'msg_1' }, { type: 'item_reference', id: 'msg_2' }] })).toEqual([]);
  });
});

describe('C-024 tools', () => {
  it('are refused when they are nested as in Chat Completions, as is a choice', () => {
    expect(found({ tools: [{ type: 'function', function: { name: 'f' } }] })).toEqual(['tools tools[0]']);
    expect(found({ tool_choice: { type: 'function', function: { name: 'f' } } })).toEqual(['tools tool_choice']);
  });

  it.each(['', 'a.b', 'a b', 'é', 'x'.repeat(65)])('C-038 are refused under the name %j', (name) => {
    expect(found({ tools: [{ type: 'function', name }] })).toEqual(['tools tools[0].name']);
    expect(found({ input: [{ type: 'function_call', call_id: 'c', name, arguments: '{}' }] })).toEqual([
      'tools input[0].name',
    ]);
  });

  it('are let through when they are flat, or a server’s own', () => {
    const tools = [
      { type: 'function', name: 'x'.repeat(64), parameters: {} },
      { type: 'web_search' },
      { type: 'function', name: 'A_1-b' },
    ];
    expect(
      found({
        tools,
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'A_1-b' }] },
      }),
    ).toEqual([]);
  });
});

describe('fields', () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

  it.each([
    ['17 pairs', pairs(17), 'metadata'],
    ['a name of 65 characters', { ['n'.repeat(65)]: 'v' }, `metadata["${'n'.repeat(64)}…"]`],
    ['a value of 513 characters', { a: 'v'.repeat(513) }, 'metadata["a"]'],
    ['a value that is no string', { a: 1 }, 'metadata["a"]'],
  ])('C-037 refuse metadata with %s', (_, metadata, path) => {
    expect(found({ metadata })).toEqual([`fields ${path}`]);
  });

  it('C-037 let through metadata at its limits', () => {
    expect(found({ metadata: { ...pairs(15), ['n'.repeat(64)]: 'v'.repeat(512) } })).toEqual([]);
  });

  it.each([
    [{ input: undefined }, 'input'],
    [{ input: {} }, 'input'],
    [{ input: [{ type: 'message', role: 'tool', content: '' }] }, 'input[0].role'],
    [{ input: [{ type: 'message', role: 'user' }] }, 'input[0].content'],
    [{ input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: {} }] }, 'input[0].arguments'],
    [{ input: [{ type: 'function_call', call_id: 'c'.repeat(65), name: 'f', arguments: '' }] }, 'input[0].call_id'],
    [{ input: [{ type: 'reasoning' }] }, 'input[0].summary'],
    [{ model: '' }, 'model'],
    [{ max_output_tokens: 15 }, 'max_output_tokens'],
    [{ max_tool_calls: 0 }, 'max_tool_calls'],
    [{ top_logprobs: 21 }, 'top_logprobs'],
    [{ prompt_cache_key: 'k'.repeat(65) }, 'prompt_cache_key'],
    [{ tool_choice: 'any' }, 'tool_choice'],
    [{ tool_choice: { type: 'allowed_tools', tools: [] } }, 'tool_choice.tools'],
    [{ tools: [{ type: 'function', name: 'f', strict: 'yes' }] }, 'tools[0].strict'],
  ])('refuse %j', (request, path) => {
    expect(found(request)).toEqual([`fields ${path}`]);
  });

  it('need no input where an earlier answer is continued', () => {
    expect(found({ input: undefined, previous_response_id: 'resp_1' })).toEqual([]);
  });
});

it('C-113 tells all that is wrong in one request, up to a bound, and never throws', () => {
  const wrong = Array.from({ length: 500 }, () => ({ role: 'user' }));
  expect(checkRequest({ input: wrong })).toHaveLength(20);
  for (const junk of [undefined, null, 1, 'a', [], { input: [null, 1, []] }, { tools: [null, 'a', { function: 1 }] }]) {
    expect(checkRequest(junk).length).toBeGreaterThan(0);
  }
});

describe('C-042', () => {
  // The corpus holds what core writes in each situation; a test of core's says so.
  const corpus = new URL('../../../corpus/requests/', import.meta.url);
  const situations = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it.each(situations.map(({ name }) => name))('finds nothing wrong with what core writes: %s', (name) => {
    expect(checkRequest(JSON.parse(readFileSync(new URL(`${name}/openai-responses.json`, corpus), 'utf8')))).toEqual(
      [],
    );
  });
});
