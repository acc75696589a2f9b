import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../chat/tool.ts';
import { runStage } from '../../stream/stage.ts';
import { isPlainName } from '../parser/calls/tool-table.ts';
import { createGrammar } from '../parser/create-grammar.ts';
import { fence } from '../parser/documentation/fenced-code.ts';
import { closedBy, type GrammarForm } from '../parser/grammar.ts';
import { withLookAlikes } from '../parser/markers/repaired-literals.ts';
import { sectionForm } from '../parser/markers/sections.ts';
import { createSpanParser } from '../parser/reply-parser.ts';
import { Scanner } from '../parser/scanner.ts';
import { attributeCalls } from '../readers/tool-request.ts';
import { dialects } from '../registry.ts';
import { leftOut, readTexts } from '../table/literals.ts';
import { headedCalls } from './header/headed-json-call.ts';
import { keyedCalls, readBetween } from './json/any-json.ts';
import { ambiguousKey } from './json/call-fields.ts';
import { jsonCalls } from './json/json-call.ts';
import { json } from './json.ts';
import { literalCalls } from './literals/literal-call.ts';
import { gemma, python } from './literals/literal-syntax.ts';
import { attributes, bareName, nameAttribute } from './tags/tag-header.ts';
import { taggedCalls } from './tags/tagged-call.ts';

/** `<invoke name="…"><parameter name="…">…</parameter></invoke>` */
const invokeCalls = taggedCalls({
  calls: [{ literal: '<invoke', header: nameAttribute }],
  callClosers: ['</invoke>'],
  parameters: [{ literal: '<parameter', header: nameAttribute }],
  parameterClosers: ['</parameter>'],
});

// Switches of the forms, each in a form that some model writes.

const tools: readonly ToolDefinition[] = [
  {
    name: 'read',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } },
  },
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'put',
    inputSchema: {
      type: 'object',
      properties: {
        data: { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
  },
];

/** The findings of a reply, each as one string: whole, and the same one character at a time. */
function read(form: GrammarForm, text: string): string[] {
  const whole = findings(form, [text]);
  expect(findings(form, [...text])).toEqual(whole);
  return whole;
}

function findings(form: GrammarForm, pieces: readonly string[]): string[] {
  const found: { kind: string; text: string }[] = [];
  const add = (kind: string, text: string) => {
    const last = found.at(-1);
    if (last?.kind === kind) last.text += text;
    else found.push({ kind, text });
  };
  for (const span of runStage(createSpanParser(createGrammar(form), { tools }), pieces)) {
    if (span.kind === 'text' || span.kind === 'reasoning') add(span.kind, span.text);
    else if (span.kind === 'warning') add(`warning ${span.warning.code}`, '');
    else if (span.kind === 'call') {
      found.push({ kind: `call ${span.name}${span.nativeId === undefined ? '' : ` #${span.nativeId}`}`, text: '' });
    } else if (span.kind === 'arguments') {
      const last = found.at(-1);
      if (last !== undefined) last.text += span.text;
    } else if (span.kind === 'call-cut') found.push({ kind: 'cut', text: span.text });
  }
  return found.map(({ kind, text }) => (text === '' ? kind : `${kind} ${text}`));
}

describe('jsonCalls', () => {
  it('keyed: the one key of an object is the name', () => {
    const form = { calls: [jsonCalls({ openers: [{ literal: '<P>' }], closers: ['<S>'], keyed: keyedCalls })] };
    expect(read(form, '<P>[{"read": {"path": "a"}}, {"list": {}}]<S>')).toEqual([
      'call read {"path": "a"}',
      'call list {}',
    ]);
  });

  it('keys: a dialect has its own, and the common ones count beside them', () => {
    const keys = { name: 'tool_name', arguments: 'parameters', id: 'tool_call_id' };
    const form = { calls: [jsonCalls({ openers: [{ literal: '<A>' }], closers: ['</A>'], keys })] };
    expect(
      read(form, '<A>[{"tool_call_id": "0", "tool_name": "list", "parameters": {}}, {"name": "list", "args": {}}]</A>'),
    ).toEqual(['call list #0 {}', 'call list {}']);
  });

  it('fenced: a fence may be around the JSON', () => {
    const form = {
      calls: [
        jsonCalls({
          openers: [{ literal: 'Action:' }],
          closers: [],
          readBetween: readBetween({ fenced: true }),
          fence,
        }),
      ],
    };
    expect(read(form, 'Action: ```json\n[{"name": "list", "arguments": {}}]\n```\nSo.')).toEqual([
      'call list {}',
      'text \nSo.',
    ]);
    expect(read(form, 'Action: [{"name": "list", "arguments": {}}]')).toEqual(['call list {}']);
    expect(read(form, 'Action: I read it.')).toEqual(['text Action: I read it.']);
  });

  it('reads no call where more than two spaces come after an opener that is a word', () => {
    const form = {
      calls: [jsonCalls({ openers: [{ literal: 'Action:' }], closers: [], readBetween: readBetween({}) })],
    };
    expect(read(form, 'Action:  [{"name": "list", "arguments": {}}]')).toEqual(['call list {}']);
    expect(read(form, 'Action:   [{"name": "list", "arguments": {}}]')).toEqual([
      'text Action:   [{"name": "list", "arguments": {}}]',
    ]);
  });

  it('is the plain form only of dialects that need no more', () => {
    const plain = [...dialects.values()].filter(({ parts }) => parts.json === json);
    expect(plain.map(({ id }) => id)).toContain('hermes');
    for (const { id, table } of plain)
      for (const call of [table.call, ...(table.also ?? [])]) {
        if (call.form !== 'json') continue;
        const { reader, fenced, guarded, keyed, keys } = call;
        const isOther = keyed || keys?.arguments === ambiguousKey || leftOut(call.opener) !== undefined;
        expect(reader || fenced || guarded || isOther || readTexts(call.opener).some(isPlainName), id).toBe(false);
      }
  });

  it('reads objects one after the other without a list', () => {
    const form = { calls: [jsonCalls({ openers: [{ literal: '<T>' }], closers: ['</T>'] })] };
    const call = '{"name":"list","arguments":{}}';
    expect(read(form, `<T>\n${call}\n${call}\n</T>`)).toEqual(['call list {}', 'call list {}']);
  });
});

describe('headedCalls', () => {
  const form: GrammarForm = {
    calls: [
      headedCalls({
        openers: ['>>>', { literal: 'to=', place: 'reply-start' }],
        separators: ['\n', '|'],
        closers: [],
        readHeader: (header) => {
          if (header === 'self') return { reasoning: closedBy(['<end>'], ['>>>']) };
          if (header === 'all') return {};
          return header === 'read' || header === 'list' ? { name: header } : undefined;
        },
      }),
    ],
    silent: ['<end>'],
  };

  it('a header opens a channel of text, of reasoning, or a call', () => {
    expect(read(form, '>>>self\nhm<end>>>>all\nHello.\n>>>read\n{"path":"a"}')).toEqual([
      'reasoning hm',
      'text Hello.\n',
      'call read {"path":"a"}',
    ]);
  });

  it('reasoning ends before the next channel where its closer is missing', () => {
    expect(read(form, '>>>self\nhm>>>list\n{}')).toEqual(['reasoning hm', 'call list {}']);
  });

  it('what is no header stays text', () => {
    expect(read(form, '>>> print(1)\n>>> x')).toEqual(['text >>> print(1)\n>>> x']);
  });

  it('reply-start: an opener counts only at the beginning', () => {
    expect(read(form, ' to=self|hm<end>Hi.')).toEqual(['reasoning hm', 'text Hi.']);
    expect(read(form, 'Hi.\nto=self|hm')).toEqual(['text Hi.\nto=self|hm']);
  });
});

describe('taggedCalls', () => {
  it('attributes: another name, another end, and what the markup says of a value', () => {
    const form: GrammarForm = {
      calls: [
        taggedCalls({
          calls: [{ literal: '<|open|>call', header: attributes({ name: 'tool', end: '<|sep|>' }) }],
          callClosers: ['<|close|>call<|sep|>'],
          parameters: [
            {
              literal: '<|open|>argument',
              header: attributes({
                name: 'key',
                end: '<|sep|>',
                decode: (text) => text.replaceAll('&quot;', '"'),
                typed: (key, value) => (key !== 'type' ? undefined : value === 'string' ? 'text' : 'json'),
              }),
            },
          ],
          parameterClosers: ['<|close|>argument<|sep|>'],
        }),
      ],
    };
    const argument = (key: string, type: string, value: string) =>
      `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`;
    const call = (...parts: string[]) =>
      `<|open|>call tool="read" index="1"<|sep|>${parts.join('')}<|close|>call<|sep|>`;
    expect(read(form, call(argument('path', 'string', '{"a":1}'), argument('limit', 'number', '5')))).toEqual([
      'call read {"path":"{\\"a\\":1}","limit":5}',
    ]);
    expect(read(form, call(argument('a&quot;b', 'array', '[1]')))).toEqual([
      'call read {"a\\"b":[1]}',
      'warning parameter-unknown',
    ]);
  });

  it('attributes: what an element without a name is called', () => {
    const named = taggedCalls({
      calls: [{ literal: '<call', header: nameAttribute }],
      callClosers: ['</call>'],
      parameters: [{ literal: '<json', header: attributes({ unnamed: 'json' }) }],
      parameterClosers: ['</json>'],
      jsonParameters: ['json'],
    });
    const reply = '<call name="read"><json type="object">{"path":"a"}</json></call>';
    expect(read({ calls: [named] }, reply)).toEqual(['call read {"path":"a"}']);
  });

  it('a call whose closer is missing ends where a section opens', () => {
    const tags = taggedCalls({
      calls: [{ literal: '<call', header: nameAttribute }],
      callClosers: ['</call>'],
      parameters: [{ literal: '<value', header: nameAttribute }],
      parameterClosers: ['</value>'],
    });
    const form: GrammarForm = { calls: [tags], sections: sectionForm({ openers: ['<calls>'], closers: ['</calls>'] }) };
    const reply = '<calls><call name="read"><value name="path">a</value><calls><call name="list"></call></calls>';
    expect(read(form, reply)).toEqual(['call read {"path":"a"}', 'warning call-repaired', 'call list {}']);
  });

  it('nestedMark: strings leave while they are written, at any depth', () => {
    const mark = ']M[';
    const form: GrammarForm = {
      calls: [
        taggedCalls({
          calls: [{ literal: `${mark}<invoke`, header: nameAttribute }],
          callClosers: [`${mark}</invoke>`],
          parameters: [{ literal: `${mark}<`, header: bareName({ ends: ['>'] }) }],
          parameterClosers: (name) => [`${mark}</${name}>`],
          nestedMark: mark,
        }),
      ],
    };
    let written = '';
    const parser = createSpanParser(createGrammar(form), { tools })((span) => {
      if (span.kind === 'arguments') written += span.text;
    });
    parser.push(`${mark}<invoke name="put">${mark}<tags>${mark}<item>one${mark}</item>`);
    parser.push(`${mark}<item>tw`);
    expect(written).toBe('{"tags":["one","tw');
    parser.push(`o${mark}</item>${mark}</tags>${mark}<data>${mark}<a>x`);
    expect(written).toBe('{"tags":["one","two"],"data":{"a":"x');
  });

  it('nestedMark: what is nested too deeply is text', () => {
    const mark = ']M[';
    const form: GrammarForm = {
      calls: [
        taggedCalls({
          calls: [{ literal: `${mark}<invoke`, header: nameAttribute }],
          callClosers: [`${mark}</invoke>`],
          parameters: [{ literal: `${mark}<`, header: bareName({ ends: ['>'] }) }],
          parameterClosers: (name) => [`${mark}</${name}>`],
          nestedMark: mark,
        }),
      ],
    };
    const deep = (open: string, close: string) => open.repeat(100) + close.repeat(100);
    const value = deep(`${mark}<b>`, `${mark}</b>`);
    const [call = ''] = read(form, `${mark}<invoke name="put">${mark}<data>${value}${mark}</data>${mark}</invoke>`);
    expect(JSON.parse(call.slice('call put '.length))).toHaveProperty([
      'data',
      ...Array.from({ length: 31 }, () => 'b'),
    ]);
  });

  it('nestedMark: lists and objects are tags with a mark, other tags are text, and each parameter has its own closer', () => {
    const mark = ']M[';
    const form: GrammarForm = {
      calls: [
        taggedCalls({
          calls: [{ literal: `${mark}<invoke`, header: nameAttribute }],
          callClosers: [`${mark}</invoke>`],
          parameters: [{ literal: `${mark}<`, header: bareName({ ends: ['>'] }) }],
          parameterClosers: (name) => [`${mark}</${name}>`],
          nestedMark: mark,
        }),
      ],
      sections: sectionForm({ openers: [`${mark}<calls>`], closers: [`${mark}</calls>`] }),
    };
    const tag = (name: string, inner: string) => `${mark}<${name}>${inner}${mark}</${name}>`;
    const invoke = (name: string, inner: string) => `${mark}<invoke name="${name}">${inner}${mark}</invoke>`;
    const put = tag('data', tag('a', 'x </a> <b>') + tag('n', '1')) + tag('tags', tag('item', 'p') + tag('item', 'q'));
    expect(read(form, tag('calls', invoke('read', tag('path', 'a </path> b')) + invoke('put', put)))).toEqual([
      'call read {"path":"a </path> b"}',
      'call put {"data":{"a":"x </a> <b>","n":1},"tags":["p","q"]}',
    ]);
  });

  it('sections are in sections', () => {
    const form: GrammarForm = {
      calls: [invokeCalls],
      sections: sectionForm({ openers: ['<calls>', '<call>function:'], closers: ['</call>', '</calls>'] }),
    };
    expect(read(form, '<calls><call>function:<invoke name="list"></invoke></call></calls>Done.')).toEqual([
      'call list {}',
      'text Done.',
    ]);
    // A section in which no call can be read is what the model wrote.
    expect(read(form, '<calls>\n<invoke is how one begins.')).toEqual([
      'warning call-cut',
      'text <calls>\n<invoke is how one begins.',
    ]);
  });

  it('a closer of a tag is no opener', () => {
    const scanner = new Scanner();
    scanner.feed('/path>');
    expect(bareName({ ends: ['>'] })(scanner, 0)).toBe('no');
  });
});

describe('literalCalls', () => {
  it('calls on lines of their own, between markers', () => {
    const form = { calls: [literalCalls({ syntax: python, openers: ['<F>'], closers: ['</F>'] })] };
    expect(read(form, '<F>read(path="a")\nlist()</F>So.')).toEqual([
      'call read {"path":"a"}',
      'call list {}',
      'text So.',
    ]);
  });

  it('another token for quotation marks', () => {
    const form = { calls: [literalCalls({ syntax: gemma('<q>'), openers: ['<s>'], closers: ['<e>'] })] };
    expect(read(form, '<s>call:read{path:<q>a}, "b"<e> c<q>,limit:2}<e>')).toEqual([
      'call read {"path":"a}, \\"b\\"<e> c","limit":2}',
    ]);
  });
});

it('look-alikes are whole: bars and spaces of one kind each', () => {
  expect(withLookAlikes(['<｜a▁b｜>'])).toEqual([
    '<｜a▁b｜>',
    '<｜a_b｜>',
    '<｜a\\_b｜>',
    '<｜a b｜>',
    '<|a▁b|>',
    '<|a_b|>',
    '<|a\\_b|>',
    '<|a b|>',
  ]);
});

describe('what can be no header any more leaves, however the reply goes on', () => {
  const opener = { literal: '<function', header: nameAttribute };
  const tagged = [taggedCalls({ calls: [opener], callClosers: [], parameters: [opener], parameterClosers: [] })];
  const attributed = attributeCalls(tools, (name) => [`<use_${name}`]);

  it.each([
    ['white space after an attribute', tagged, '<function n', ' '],
    ['white space after its sign', tagged, '<function n=', ' '],
    ['a value that is not closed', tagged, '<function n="', ' '],
    ['white space in a tag of attributes', attributed, '<use_read', ' '],
    ['a key without a value', attributed, '<use_read ', 'a'],
    ['a key after a value', attributed, '<use_read path="a" ', 'a'],
  ])('%s', (_, calls, head, unit) => {
    let left = 0;
    const parser = createSpanParser(createGrammar({ calls }), { tools })((span) => {
      if (span.kind === 'text') left += span.text.length;
    });
    parser.push(head);
    const length = 20_000;
    for (let pushed = 0; pushed < length; pushed += 100) parser.push(unit.repeat(100));
    expect(head.length + length - left).toBeLessThan(300);
  });
});
