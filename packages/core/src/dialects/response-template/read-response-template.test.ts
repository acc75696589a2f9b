import { runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runStage } from '../../stream/stage.ts';
import { defineTable } from '../table/define-table.ts';
import { readResponseTemplate } from './read-response-template.ts';

const asFunction = { type: 'function', function: { name: '{name}', arguments: '{content}' } };
const tags = {
  tag_pattern: '<p=(?P<key>[^>]+)>\\s*(?P<value>.*?)\\s*</p>',
  value_parser: { name: 'json', args: { allow_non_json: true } },
};

const template = (calls: unknown, fields: object = {}) => ({
  start_anchor: '<|assistant|>',
  defaults: { role: 'assistant' },
  fields: { tool_calls: calls, ...fields },
});

/** What the dialect of a template finds in a reply. */
function found(value: unknown, reply: string): string[] {
  const { table, problems } = readResponseTemplate(value);
  if (table === undefined) throw new Error(JSON.stringify(problems));
  const tools = [
    { name: 'read', inputSchema: { type: 'object', properties: { path: {}, lines: { type: 'integer' } } } },
  ];
  const all: string[] = [];
  for (const span of runStage(defineTable('own', table).createParser({ tools }), [...reply])) {
    if (span.kind === 'call') all.push(`${span.name}${span.nativeId === undefined ? '' : `#${span.nativeId}`} `);
    else if (span.kind === 'arguments') all.push((all.pop() ?? '') + span.text);
    else if (span.kind === 'warning') all.push(`warning ${span.warning.code}`);
    else if (span.kind !== 'call-end') {
      const front = `${span.kind}: `;
      all.push(all.at(-1)?.startsWith(front) ? (all.pop() ?? '') + span.text : front + span.text);
    }
  }
  return all;
}

const problemsOf = (value: unknown) =>
  readResponseTemplate(value).problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`);

describe('a response template becomes a dialect', () => {
  it('of JSON between literals, with thinking and the end of a turn', () => {
    const value = template(
      {
        open: '<c>',
        close: '</c>',
        repeats: true,
        content: 'json',
        transform: { type: 'function', function: '{content}' },
      },
      {
        reasoning_content: { open: '<r>', close_pattern: '</r>\\s*' },
        content: { close: ['<|end|>', '<|user|>'], content: 'text' },
      },
    );
    const reply = '<r>hm</r>So.<c>{"name": "read", "arguments": {"path": "a"}}</c><|end|>';
    expect(found(value, reply)).toEqual(['reasoning: hm', 'text: So.', 'read {"path": "a"}']);
  });

  it('takes a closer of the thinking without the white space around it', () => {
    const value = template(
      { open: '<c>', close: '</c>', content: 'json' },
      { thinking: { open: '<r>\n', close: '\n</r>\n' } },
    );
    expect(found(value, '<r>\nhm</r>So.')).toEqual(['reasoning: hm', 'text: So.']);
  });

  it('of a JSON list with keys of its own', () => {
    const value = template({
      open: '<|ACT|>',
      close: '<|/ACT|>',
      content: 'json',
      transform_each: true,
      transform: { type: 'function', function: { name: '{tool_name}', arguments: '{parameters}' } },
    });
    expect(found(value, '<|ACT|>[{"tool_name": "read", "parameters": {"path": "a"}}]<|/ACT|>')).toEqual([
      'read {"path": "a"}',
    ]);
    expect(readResponseTemplate(value).table?.call).toMatchObject({ grouping: 'list' });
  });

  it('of JSON after two markers', () => {
    const value = template({ open_pattern: '<calls>\\s*<c>', close: '</c>', content: 'json' });
    expect(found(value, 'A<calls>\n\n<c>{"name": "read", "arguments": {}}</c>')).toEqual(['text: A', 'read {}']);
  });

  it('of keys in the content, by their path', () => {
    const value = template({
      open: '<c>',
      close: '</c>',
      content: 'json',
      transform: { type: 'function', function: { name: '{content.tool}', arguments: '{content.given}' } },
    });
    expect(found(value, '<c>{"tool": "read", "given": {}}</c>')).toEqual(['read {}']);
  });

  it('of a name in the opener and JSON after it', () => {
    const calls = { close: '<|/call|>', repeats: true, content: 'json', transform: asFunction };
    const value = template({ ...calls, open_pattern: '<\\|call\\|>(?P<name>\\w+)<\\|args\\|>' });
    expect(found(value, '<|call|>read<|args|>{"path": "a"}<|/call|>')).toEqual(['read {"path": "a"}']);
    const withId = template({ ...calls, open_pattern: '<\\|call\\|>(?P<name>\\w+)#(?P<id>\\w+)<\\|args\\|>' });
    expect(found(withId, '<|call|>read#7<|args|>{}<|/call|>')).toEqual(['read#7 {}']);
  });

  it("of Gemma's literals", () => {
    const value = template({
      open_pattern: '<\\|c>call:(?P<name>\\w+)',
      close_pattern: '<c\\|>\\s*',
      content: 'json',
      content_args: { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] },
      transform: asFunction,
    });
    expect(found(value, '<|c>call:read{path:<|"|>a<|"|>}<c|>')).toEqual(['read {"path":"a"}']);
  });

  it('of tags, the closer of the inner one assumed', () => {
    const value = template({
      open_pattern: '<call>\\s*<f=(?P<name>[^>]+)>',
      close: '</call>',
      repeats: true,
      content: 'xml-inline',
      content_args: tags,
      transform: asFunction,
    });
    const reply = '<call>\n<f=read>\n<p=path>\na\nb\n</p>\n<p=lines>3</p>\n</f>\n</call>';
    expect(found(value, reply)).toEqual(['read {"path":"a\\nb","lines":3}']);
    // The template does not say that it is there, so nothing is wrong without it.
    expect(found(value, reply.replace('</f>\n', ''))).toEqual(['read {"path":"a\\nb","lines":3}']);
    expect(readResponseTemplate(value).notes).toEqual([
      'fields.tool_calls: the template does not say what closes "<f="; "</f>" is assumed',
    ]);
  });

  it('of pairs of tags after a bare name', () => {
    const value = template({
      open_pattern: '<call>(?P<name>\\S+)\\n?',
      close: '</call>',
      content: 'xml-inline',
      content_args: { tag_pattern: '<k>(?P<key>[^<]+)</k>\\s*<v>(?P<value>.*?)</v>' },
      transform: asFunction,
    });
    expect(found(value, '<call>read\n<k>path</k>\n<v>a b</v>\n</call>')).toEqual(['read {"path":"a b"}']);
  });

  it('and says where the prompt opens the thinking', () => {
    const value = {
      ...template(
        { open: '<c>', close: '</c>', content: 'json' },
        { thinking: { open_pattern: '(?=[\\s\\S]*?</think>)', close: '</think>' } },
      ),
      start_anchor: '<|assistant|><think>\n',
    };
    const opened = 'the prompt opens the thinking; give the model rule "opened": "reasoning"';
    expect(readResponseTemplate(value).notes).toEqual([opened]);
  });
});

describe('the older response_schema', () => {
  const schema = (calls: object) => ({
    type: 'object',
    properties: { role: { const: 'assistant' }, tool_calls: calls },
  });

  it('of JSON', () => {
    const value = schema({
      'x-regex-iterator': '<c>\\s*(.*?)\\s*</c>',
      items: { 'x-parser': 'json', 'x-parser-args': { transform: "{type: 'function', function: @}" } },
    });
    expect(found(value, '<c>{"name": "read", "arguments": {}}</c>')).toEqual(['read {}']);
  });

  it('of tags inside what the iterator finds', () => {
    const call = { name: { 'x-regex': '<f=([^>]+)>' }, arguments: { 'x-regex-key-value': tags.tag_pattern } };
    const value = schema({
      'x-regex-iterator': '<c>\\s*(.+?)\\s*</c>',
      items: { properties: { type: { const: 'function' }, function: { properties: call } } },
    });
    expect(found(value, '<c>\n<f=read>\n<p=path>\na\n</p>\n</f>\n</c>')).toEqual(['read {"path":"a"}']);
  });

  it('of groups in the iterator itself', () => {
    const value = schema({
      'x-regex-iterator': '<f=(?P<name>[^>]+)>(?P<arguments>.*?)</f>',
      items: { properties: { name: {}, arguments: { 'x-regex-key-value': tags.tag_pattern } } },
    });
    expect(found(value, '<f=read><p=path>a</p></f>')).toEqual(['read {"path":"a"}']);
  });

  it('names what it lacks', () => {
    expect(problemsOf(schema({}))[0]).toContain('properties.tool_calls.x-regex-iterator: is missing');
    expect(problemsOf(schema({ 'x-regex-iterator': '<c>(a)</c>' }))[0]).toContain(
      'must be a literal, (.*?) and a literal',
    );
  });
});

describe('what no form can read is named with the remedy', () => {
  const json = { open: '<c>', close: '</c>', content: 'json' };
  it.each([
    [template({ ...json, open: undefined, open_pattern: '<c>.*?<m>' }), 'fields.tool_calls.open_pattern: ".*?<m>" at'],
    [
      template({ ...json, open: undefined, open_pattern: 'to=(?P<name>\\w+)<a>\\s+b<m>', transform: asFunction }),
      'fields.tool_calls.open_pattern: holds white space between two literals',
    ],
    [template({ ...json, content: 'kv-lines' }), 'fields.tool_calls.content: "kv-lines" is none'],
    [template({ ...json, transform: { a: 1 } }), 'fields.tool_calls.transform: does not say where name and arguments'],
    [template({ close: '</c>', content: 'json' }), 'fields.tool_calls.open: is missing'],
    [template({ ...json, open_pattern: 'x' }), 'fields.tool_calls.open: is beside "open_pattern"'],
    [template({ ...json, open: 7 }), 'fields.tool_calls.open: must be a text or a list of texts'],
    [template(json, { mood: { open: '<m>', close: '</m>' } }), 'fields.mood: is not a part of a reply'],
    [template(json, { thinking: { open: '<t>' } }), 'fields.thinking: needs an opener and a closer'],
    [{ ...template(json), version: 2 }, 'version: 2 is unknown; known: 1'],
    [{ ...template(json), start_anchr: 'a' }, 'start_anchr: unknown key'],
    [{ fields: {} }, 'fields.tool_calls: is missing'],
    [{}, 'is not a response template: it has no "fields"'],
    ['text', 'is not a response template'],
    [
      template({
        open_pattern: '\\{"name":\\s*"(?P<name>[^"]+)",\\s*"parameters":',
        close: '}',
        content: 'json',
        transform: asFunction,
      }),
      'reads the JSON of a call itself',
    ],
    [
      template({
        open_pattern: '<f=(?P<name>\\w+)>',
        close: '</f>',
        content: 'xml-inline',
        content_args: { tag_pattern: '(?P<key>\\w+)=(?P<value>\\w+)' },
        transform: asFunction,
      }),
      'fields.tool_calls.content_args.tag_pattern: must be a literal, (?P<key>',
    ],
  ])('%#', (value, reason) => {
    const all = problemsOf(value);
    expect(all.join('\n')).toContain(reason);
    expect(readResponseTemplate(value).table).toBeUndefined();
  });
});

describe('a template of any kind is read or refused', () => {
  const literal = fc.constantFrom(
    '<c>',
    '</c>',
    '<c>\\s*<f=(?P<name>\\w+)>',
    '(',
    '(?P<n',
    '|',
    '[',
    '{name}',
    '',
    'e',
    '\\',
  );
  const anything = fc.oneof(
    literal,
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('json', 'xml-inline', asFunction, '{content}'),
  );
  const field = fc.dictionary(
    fc.constantFrom(
      'open',
      'open_pattern',
      'close',
      'close_pattern',
      'content',
      'content_args',
      'transform',
      'repeats',
      'x-regex',
    ),
    anything,
  );
  const fields = fc.dictionary(
    fc.constantFrom('tool_calls', 'content', 'thinking', 'other'),
    fc.oneof(field, anything),
  );
  const whole = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { version: anything, start_anchor: anything, fields: fc.oneof(fields, anything) },
      { requiredKeys: ['fields'] },
    ),
    fc.record(
      { type: anything, properties: fc.oneof(fields, anything), 'x-regex': anything },
      { requiredKeys: ['properties'] },
    ),
  );

  it('whatever it holds', () => {
    fc.assert(
      fc.property(whole, (value) => {
        const { table, problems } = readResponseTemplate(value);
        expect(table === undefined).toBe(problems.length > 0);
        if (table !== undefined) defineTable('own', table).createParser({ tools: [] });
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    ['groups in groups', '('.repeat(100_000)],
    ['whole groups in groups', `${'(?:'.repeat(50_000)}a${')'.repeat(50_000)}`],
    ['alternatives', `<c>${'|<c>'.repeat(100_000)}`],
    ['optional groups', `<c>${'(?:a|b)'.repeat(60)}(?P<name>\\w+)`],
    ['literals', `<${'c'.repeat(1_000_000)}>`],
  ])(
    'however long its patterns are: %s',
    (_, pattern) => {
      expect(
        problemsOf(template({ open_pattern: pattern, close: '</c>', content: 'json', transform: asFunction })),
      ).not.toEqual([]);
    },
    10_000,
  );
});
