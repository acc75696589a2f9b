import { sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../../chat/tool.ts';
import { runStage } from '../../../stream/stage.ts';
import { createGrammar } from '../../parser/create-grammar.ts';
import { createSpanParser } from '../../parser/reply-parser.ts';
import { bareCalls } from './any-json.ts';
import { commonKeys, looksLikeCall } from './call-keys.ts';
import type { Guard } from './call-object.ts';
import { jsonCalls } from './json-call.ts';

const tools: readonly ToolDefinition[] = [
  { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
];
const marked = createGrammar({ calls: [jsonCalls({ openers: [{ literal: '<call>' }], closers: ['</call>'] })] });
const looksLikeRead: Guard = (scanner, index) => looksLikeCall(scanner, index, { keys: commonKeys, names: ['read'] });
const bare = createGrammar({ calls: [jsonCalls({ openers: [], closers: [], bare: bareCalls(looksLikeRead) })] });

const call = (path: string) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'read', arguments: JSON.stringify({ path }) },
});

/** What is in a reply, as a client sees it. */
function seen(grammar: typeof marked, pieces: readonly string[]) {
  const spans = runStage(createSpanParser(grammar, { tools }), pieces);
  const joined = (kind: 'text' | 'arguments') => spans.map((span) => (span.kind === kind ? span.text : '')).join('');
  const order = spans.flatMap(({ kind }) => (kind === 'text' || kind === 'call' ? [kind] : []));
  const warnings = spans.flatMap((span) => (span.kind === 'warning' ? [span.warning.code] : []));
  return {
    text: joined('text'),
    json: joined('arguments'),
    first: order[0],
    warnings: warnings.filter((code) => code !== 'value-coerced'),
  };
}

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

const fieldsWith = (content: unknown) =>
  Object.entries({
    ...{ role: 'assistant', content, refusal: null, annotations: [] },
    tool_calls: [call('a'), call('b')],
  });

const contents: readonly (readonly [said: string, content: unknown])[] = [
  ['', null],
  ['', ''],
  ['I\n"look".', 'I\n"look".'],
  [
    'I look.',
    [
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look.' },
    ],
  ],
];

describe('a message of OpenAI', () => {
  it.each(contents)('is calls and the text %j in every order of its keys, lone and in a list', (said, content) => {
    for (const fields of sample(orders(fieldsWith(content)), 10)) {
      const message = JSON.stringify(Object.fromEntries(fields));
      for (const json of [message, `[${message}]`, `[ ${message} ]`]) {
        const reply = `<call>${json}</call>`;
        const isAhead =
          fields.findIndex(([key]) => key === 'content') < fields.findIndex(([key]) => key === 'tool_calls');
        const first = said !== '' && isAhead ? 'text' : 'call';
        const expected = { text: said, json: '{"path":"a"}{"path":"b"}', first, warnings: [] };
        expect(seen(marked, [reply]), reply).toEqual(expected);
        expect(seen(marked, [...reply]), reply).toEqual(expected);
        // Without a marker only short texts are looked over.
        if (!Array.isArray(content) && !said.includes('"')) {
          expect(seen(bare, [...json]), json).toEqual(expected);
          expect(seen(bare, [json]), json).toEqual(expected);
        }
      }
    }
  });

  it('is read after another one in a list', () => {
    const message = (path: string, content: string) => JSON.stringify({ tool_calls: [call(path)], content });
    const reply = `<call>[${message('a', 'One. ')}, ${message('b', 'Two.')}]</call>`;
    expect(seen(marked, [...reply])).toEqual({
      ...{ text: 'One. Two.', json: '{"path":"a"}{"path":"b"}', first: 'call', warnings: [] },
    });
  });

  it('says before an older call and after it what it says', () => {
    const older = (...fields: readonly string[]) => `<call>{${fields.join(',')}}</call>`;
    const said = '"content":"I look."';
    const called = '"function_call":{"name":"read","arguments":{"path":"a"}}';
    const expected = { text: 'I look.', json: '{"path":"a"}', warnings: [] };
    expect(seen(marked, [...older(said, called)])).toEqual({ ...expected, first: 'text' });
    expect(seen(marked, [...older(called, said)])).toEqual({ ...expected, first: 'call' });
  });

  it('whose brace is missing is repaired', () => {
    const list = JSON.stringify([call('a')]);
    for (const tail of ['', ',"content":null', ', "content": "I look."']) {
      const reply = `<call>{"tool_calls":${list}${tail}</call>`;
      expect(seen(marked, [...reply])).toMatchObject({ json: '{"path":"a"}', warnings: ['call-repaired'] });
      expect(seen(marked, [...reply]).text).toBe(tail.includes('look') ? 'I look.' : '');
    }
    expect(seen(marked, [`<call>{"tool_calls":${list}, and so on`]).text).toBe(', and so on');
  });

  it('whose calls are not declared stays text, with all it says', () => {
    const json = '{"content":"I look.","tool_calls":[{"name":"un known","arguments":{}}],"refusal":"x"}';
    expect(seen(marked, [...`<call>${json}</call>`]).text).toBe(`<call>${json}</call>`);
  });

  it('whose first call breaks off after its start says once what it says', () => {
    const first = '{"function":{"name":"read","arguments":{"path":"a", !!! }}}';
    const reply = `<call>{"role":"assistant","mood":"good","content":"I look at </call>.","tool_calls":[${first}]}`;
    const expected = { text: `I look at </call>.${first}]}`, json: '{"path":"a\\", !!! }}}]}', first: 'text' };
    for (const pieces of [[reply], [...reply]]) {
      const spans = runStage(createSpanParser(marked, { tools }), pieces);
      const shown = spans.map((span) => (span.kind === 'text' || span.kind === 'call-cut' ? span.text : '')).join('');
      expect({ ...seen(marked, pieces), text: shown }).toEqual({
        ...expected,
        warnings: ['field-ignored', 'call-cut'],
      });
    }
  });

  it('reports what else it holds', () => {
    const reply = `<call>{"tool_calls":[${JSON.stringify(call('a'))}],"reasoning_content":"hm"}</call>`;
    expect(seen(marked, [...reply])).toMatchObject({ text: '', warnings: ['field-ignored'] });
  });
});
