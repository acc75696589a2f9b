import { chatRequest, countSteps, cutText, readTools, runs, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { dialects } from '../dialects/registry.ts';
import { askTextModel } from '../library/text-model.ts';
import { runStage, type StageFactory } from '../stream/stage.ts';
import { createTwinCalls } from './twin-calls.ts';

const tools = readTools('read(path: string)\nlist()');
const hermes = dialects.get('hermes') ?? expect.fail();

type Piece = readonly ['text', string] | readonly ['native', name: string, json: string] | readonly ['cut', string];

const text = (name: string, json: string): Piece => [
  'text',
  `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`,
];
const native = (name: string, json: string): Piece => ['native', name, json];

function read(pieces: readonly Piece[]) {
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start('reply', 'model');
  for (const [kind, ...piece] of pieces) {
    const [one = '', json = ''] = piece;
    if (kind === 'text') for (const each of cutText(one, 'chars')) writer.text(each);
    else {
      writer.callStart(`n${events.length}`, kind === 'native' ? one : 'read');
      writer.callDelta(kind === 'native' ? json : one);
      if (kind === 'native') writer.callEnd();
      else writer.callCut();
    }
  }
  writer.end('tool-calls');
  const out = runStage(askTextModel(chatRequest({ tools }), { dialect: hermes }).read, events);
  expect(violationsOf(out)).toEqual([]);
  const { calls, warnings, finishReason, text: said } = collect(out);
  return {
    calls: calls.map((each) => `${each.name} ${each.arguments}`),
    codes: warnings.map(({ code }) => code),
    finishReason,
    said,
    out,
  };
}

const a = '{"path": "a"}';

it.each<[what: string, pieces: readonly Piece[]]>([
  ['first in the text', [text('read', a), native('read', '{"path":"a"}')]],
  ['first natively', [native('read', a), text('read', '{"path":"a"}')]],
  ['with words between', [text('read', a), ['text', '\nNow.'], native('read', a)]],
])('a call that comes twice, %s, is one call', (_, pieces) => {
  const { calls, codes, finishReason } = read(pieces);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.replaceAll(' ', '')).toBe('read{"path":"a"}');
  expect({ codes, finishReason }).toEqual({ codes: ['call-repeated'], finishReason: 'tool-calls' });
});

it.each<[what: string, pieces: readonly Piece[], calls: number]>([
  ['two of the same in the text', [text('read', a), text('read', a)], 2],
  ['two of the same natively', [native('read', a), native('read', a)], 2],
  ['with other arguments', [text('read', a), native('read', '{"path": "b"}')], 2],
  [
    'with another long number',
    [text('read', '{"path": 9007199254740993}'), native('read', '{"path": 9007199254740992}')],
    2,
  ],
  ['of another tool', [native('list', '{}'), text('read', a)], 2],
  ['two in the text and one of them natively', [text('read', a), text('list', '{}'), native('list', '{}')], 2],
  ['twice in the text and once natively', [text('read', a), text('read', a), native('read', a)], 2],
  ['one that was cut natively', [text('read', a), ['cut', '{"pa']], 1],
])('calls %s stay what they are', (_, pieces, count) => {
  expect(read(pieces).calls).toHaveLength(count);
});

it('arguments still leave while they are written, natively too, where nothing came in the other way', () => {
  const { out } = read([text('list', '{}'), text('read', '{"path": "abcdef"}')]);
  expect(out.filter(({ type }) => type === 'tool-call-delta').length).toBeGreaterThan(5);
});

test('each call is delivered as often as it came the one way, or the other way if that is more often', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const piece = fc.tuple(fc.boolean(), name);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (given) => {
      const pieces = given.map(([isText, path]) => (isText ? text : native)('read', JSON.stringify({ path })));
      const { calls } = read(pieces);
      for (const path of ['a', 'b', 'c']) {
        const count = (isText: boolean) => given.filter(([kind, each]) => kind === isText && each === path).length;
        const delivered = calls.filter((each) => each.includes(`"${path}"`)).length;
        expect(delivered).toBe(Math.max(count(true), count(false)));
      }
    }),
    { numRuns: runs(100) },
  );
});

test('work is linear, and calls keep their order and their ids, whatever comes twice', () => {
  const folder = 'folder/'.repeat(50);
  // Every word of the text is read as a call.
  const reading: StageFactory<ChatEvent, ChatEvent> = (sink) => {
    const writer = new EventWriter(sink);
    return {
      push: (event) => {
        if (event.type !== 'text-delta') {
          if (!event.type.startsWith('text')) writer.write(event);
          return;
        }
        for (const word of event.text.split(' ')) {
          writer.callStart(`t-${word}`, 'read');
          writer.callDelta(`{"path":"${folder}${word.padStart(6, '0')}"}`);
          writer.callEnd();
        }
      },
      end: () => {},
    };
  };
  const measure = (count: number) => {
    const events: ChatEvent[] = [];
    const writer = new EventWriter((event) => events.push(event));
    writer.start('reply', 'model');
    for (let index = 0; index < count; index += 1) {
      writer.callStart(`n-${index}`, 'read');
      const name = index % 2 === 0 ? `${count - index}` : `x${index}`;
      writer.callDelta(`{"path": "${folder}${name.padStart(6, '0')}"}`);
      writer.callEnd();
    }
    writer.text(Array.from({ length: count }, (_, index) => index + 1).join(' '));
    writer.end('tool-calls');
    let out: readonly ChatEvent[] = [];
    const steps = countSteps(() => {
      out = runStage(createTwinCalls(reading), events);
    });
    expect(violationsOf(out)).toEqual([]);
    const ids = collect(out).calls.map(({ callId }) => callId);
    const single = Array.from({ length: count }, (_, index) => index + 1).filter((each) => (count - each) % 2 === 1);
    expect(ids.slice(0, count)).toEqual(Array.from({ length: count }, (_, index) => `n-${index}`));
    expect(ids.slice(count)).toEqual(single.map((each) => `t-${each}`));
    return steps;
  };
  expect(measure(4000)).toBeLessThan(measure(1000) * 4.5);
});
