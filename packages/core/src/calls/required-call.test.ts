import { type Cuts, chatRequest, cutText, readTools, runs, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { ToolChoice } from '../chat/tool.ts';
import { dialects } from '../dialects/registry.ts';
import { askTextModel } from '../library/text-model.ts';
import { runStage } from '../stream/stage.ts';

const tools = readTools('read(path: string, limit?: integer)\nlist()\nnote(name: string)');

interface How {
  readonly choice?: ToolChoice;
  readonly cuts?: Cuts;
  readonly dialect?: string;
}

function read(text: string, { choice = { name: 'read' }, cuts = 'whole', dialect: id = 'hermes' }: How = {}) {
  const dialect = dialects.get(id);
  if (dialect === undefined) throw new Error(`There is no dialect ${id}.`);
  const request = chatRequest({ tools, toolChoice: choice });
  const events: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    ...cutText(text, cuts).map((piece): ChatEvent => ({ type: 'text-delta', block: 0, text: piece })),
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason: 'stop' },
  ];
  const out = runStage(askTextModel(request, { dialect, rule: { policy: { surplus: 'text' } } }).read, events);
  const { content } = collect(out);
  return {
    said: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: content.flatMap((part) => (part.type === 'tool-call' ? [`${part.name} ${part.arguments}`] : [])),
    codes: out.flatMap((event) => (event.type === 'warning' ? [event.warning.code] : [])),
    out,
  };
}

/** The same whole and in single characters. */
function both(text: string, how: How = {}) {
  const { said, calls, codes } = read(text, how);
  const single = read(text, { ...how, cuts: 'chars' });
  expect({ said: single.said, calls: single.calls, codes: single.codes }).toEqual({ said, calls, codes });
  return { said, calls, codes };
}

const call = '{"name": "read", "arguments": {"path": "a.txt"}}';
const given = '{"path": "a.txt"}';
const found = { said: '', calls: [`read ${given}`] };

describe.each(['hermes', 'anthropic-xml', 'kimi-k2', 'qwen3-coder', 'pythonic', 'harmony'])('over %s', (dialect) => {
  it.each<[what: string, text: string]>([
    ['an object with name and arguments', call],
    ['with white space around it', `\n  ${call}\n`],
    ['in a fence', `\`\`\`json\n${call}\n\`\`\``],
    ['in a fence without a word', `\`\`\`\n${call}\n\`\`\``],
    ['the arguments alone', given],
    ['the arguments in a fence', `\`\`\`json\n${given}\n\`\`\``],
    ['with white space around them', `\n${given}\n`],
  ])('%s is the call of a tool that has to be called', (_, text) => {
    expect(both(text, { dialect })).toMatchObject(found);
  });

  it('an object with name and arguments is the call where any tool has to be called', () => {
    expect(both(call, { dialect, choice: 'required' })).toMatchObject(found);
  });

  it.each<[what: string, text: string, choice: ToolChoice]>([
    ['where none has to be called', call, 'none'],
    ['where the model may answer', `An answer:\n${given}`, 'auto'],
    ['of no tool in particular', given, 'required'],
    ['of keys that the tool does not have', '{"file": "a.txt"}', { name: 'read' }],
    ['behind words', `So: ${given}`, { name: 'read' }],
  ])('JSON %s is text', (_, text, choice) => {
    expect(both(text, { dialect, choice })).toMatchObject({ said: text, calls: [] });
  });
});

it('markers of the dialect around the arguments are stray', () => {
  expect(both(`<tool_call>\n${given}\n</tool_call>`)).toMatchObject(found);
  expect(both(`<tool_call>\n\`\`\`json\n${given}\n\`\`\`\n</tool_call>`)).toMatchObject(found);
});

it('the call in the form of the dialect is what it was', () => {
  const { calls, codes } = both(`I look.\n<tool_call>\n${call}\n</tool_call>`, { choice: 'required' });
  expect({ calls, codes }).toEqual({ calls: found.calls, codes: [] });
});

it('JSON after a call is text: nothing is required any more', () => {
  const own = `<tool_call>\n${call}\n</tool_call>`;
  expect(both(`${own}\n${call}`)).toMatchObject({ calls: found.calls, said: expect.stringContaining(call) });
});

it('what was held back as the beginning of JSON leaves before the call', () => {
  const own = `<tool_call>\n${call}\n</tool_call>`;
  for (const front of [
    'Look:\n{',
    'Look:\n{"name"',

    'Look:\n{"name": "read", "arguments": {"path": "b',
  ]) {
    for (const cuts of ['whole', 'chars'] as const) {
      const { out } = read(`${front}${own} Done.`, { choice: 'required', cuts });
      const parts = collect(out).content.map((part) => (part.type === 'text' ? part.text : part.type));
      const order = (all: string) => all.replaceAll(/\s/g, '');
      expect(order(parts.join(''))).toBe(order(`${front}tool-callDone.`));
    }
  }
});

it('a tool that was not named is not called, in neither form, and JSON inside such a call is its text', () => {
  const other = '{"name": "note", "arguments": {"name": "a"}}';
  for (const text of [other, `<tool_call>\n${other}\n</tool_call>`]) {
    expect(both(text)).toEqual({ said: text, calls: [], codes: ['call-surplus'] });
  }
  const holds = `<function_calls>\n<invoke name="note">\n<parameter name="name">\n${call}\n</parameter>\n</invoke>\n</function_calls>`;
  expect(both(holds, { dialect: 'anthropic-xml' })).toMatchObject({ calls: [], codes: ['call-surplus'] });
  expect(both(`${other}\n${call}`)).toMatchObject({ calls: found.calls, codes: ['call-surplus', 'call-foreign'] });
});

it('a call of another tool is not the arguments of one that has no parameters', () => {
  for (const front of ['', '```json\n', '```json5 ', 'Sure.\n']) {
    expect(both(`${front}${call}`, { choice: { name: 'list' } })).toMatchObject({ said: `${front}${call}`, calls: [] });
  }
});

it('a tool that has a parameter of the name of a key takes its own arguments', () => {
  expect(both('{"name": "Bob"}', { choice: { name: 'note' } }).calls).toEqual(['note {"name": "Bob"}']);
  expect(both('{}', { choice: { name: 'list' } }).calls).toEqual(['list {}']);
  expect(both('{}').calls).toEqual([]);
});

it('broken JSON is repaired, and several calls are several', () => {
  expect(both("{'path': 'a.txt', 'limit': '5',}").calls).toEqual(['read {"path": "a.txt", "limit": 5}']);
  expect(both(`[${call}, {"name": "list", "arguments": {}}]`, { choice: 'required' }).calls).toEqual([
    `read ${given}`,
    'list {}',
  ]);
});

it('arguments that break off are text, and no call', () => {
  expect(both('{"path": "a.t')).toMatchObject({
    said: '{"path": "a.t',
    calls: [],
    codes: expect.arrayContaining(['call-cut']),
  });
});

it.each<[what: string, text: string, dialect: string]>([
  ['in the dialect of the model', '<tool_call>\n{"name": "read", "arguments": {"path": "a.t', 'hermes'],
  ['as plain JSON', '{"name": "read", "arguments": {"path": "a.t', 'hermes'],
  ['as plain JSON in a fence', '```json\n{"name": "read", "arguments": {"path": "a.t', 'mistral-json'],
  ['and that goes wrong', '<tool_call>\n{"name": "read", "arguments": {"path": oops}}\n</tool_call>', 'hermes'],
])('a call %s that breaks off is one unfinished call, and its text', (_, text, dialect) => {
  const { out, said } = read(text, { dialect, cuts: 'chars' });
  expect(said).toBe(text);
  expect(out.filter(({ type }) => type === 'tool-call-start')).toHaveLength(1);
  expect(out.filter(({ type }) => type === 'tool-call-cut')).toHaveLength(1);
  expect(out.filter(({ type }) => type === 'tool-call-end')).toEqual([]);
});

it('behind a call in the dialect that went wrong, one in plain JSON is still required', () => {
  const wrong = '<tool_call>\n{"name": "read", "arguments": {"path": oops}}\n</tool_call>';
  expect(both(`${wrong}\n${call}`, { choice: 'required' })).toMatchObject({
    said: expect.stringContaining('oops}}'),
    calls: found.calls,
  });
});

it('arguments leave while they are written', () => {
  const text = JSON.stringify({ path: 'a'.repeat(1000), limit: 5 });
  const { out } = read(text, { cuts: [400, 600, 800] });
  const deltas = out.flatMap((event) => (event.type === 'tool-call-delta' ? [event.text] : []));
  expect(deltas.length).toBeGreaterThan(2);
  expect(deltas.join('')).toBe(text);
});

it('is told as a call in another form', () => {
  const { out } = read(given);
  const told = out.flatMap((event) => (event.type === 'warning' ? [event.warning] : []));
  expect(told).toMatchObject([{ code: 'call-foreign', message: expect.stringContaining('plain JSON') }]);
});

test('whatever is said around calls, cuts do not matter, no word is lost, and none comes twice (property)', () => {
  const own = (json: string) => `<tool_call>\n${json}\n</tool_call>`;
  const other = '{"name": "note", "arguments": {"name": "x"}}';
  const piece = fc.constantFrom(
    ...[
      call,
      own(call),
      other,
      own(other),
      given,
      '{',
      '{"',
      '{"name": "read"',
      '[',
      '\n',
      '\n```json\n',
      '```\n',
      ' // c\n',
      ',',
    ],
    ...[
      '{"path": "b',
      '<tool_call>',
      '</tool_call>',
      'word1 ',
      'word2\n',
      'word3',
      '{}',
      own('{"name": "find", "arguments": {}}'),
    ],
  );
  const choices = fc.constantFrom<ToolChoice>('required', { name: 'read' }, { name: 'list' });
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 9 }),
      choices,
      fc.array(fc.nat(400), { maxLength: 8 }),
      (pieces, choice, cuts) => {
        const text = pieces.join('');
        const { out: _, ...whole } = read(text, { choice });
        for (const how of ['chars', cuts] as const) {
          const { out, ...found } = read(text, { choice, cuts: how });
          expect(found).toEqual(whole);
          expect(violationsOf(out)).toEqual([]);
        }
        for (const word of ['word1', 'word2', 'word3']) {
          expect(whole.said.split(word).length, whole.said).toBe(text.split(word).length);
        }
        if (typeof choice === 'object') {
          for (const each of whole.calls) expect(each.startsWith(choice.name)).toBe(true);
        }
      },
    ),
    { numRuns: runs(400) },
  );
});
