import { cutText } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import type { OutputFormat } from '../chat/request.ts';
import { DragomanError } from '../errors.ts';
import { runStage } from '../stream/stage.ts';
import { createBareJson } from './bare-json.ts';

const create = (format: OutputFormat = { type: 'json' }) => createBareJson({ format, hidden: () => {}, waits: false });

const json = '{"code":"```js\\nx\\n```","n":1}';

/** A reply that says nothing but why it won't answer. */
const refused: readonly ChatEvent[] = [
  { type: 'message-start', id: 'x', model: 'm' },
  { type: 'text-start', block: 0, refusal: true },
  { type: 'text-delta', block: 0, text: '```json\nI will not.' },
  { type: 'text-end', block: 0 },
  { type: 'message-end', finishReason: 'stop' },
];

it('A-051 a refusal passes as it is and need not be JSON', () => {
  expect(runStage(create(), refused)).toEqual(refused);
});

function read(text: string, cuts: 'whole' | 'chars' = 'whole', finishReason: 'stop' | 'length' = 'stop') {
  const events: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    ...cutText(text, cuts).map((piece): ChatEvent => ({ type: 'text-delta', block: 0, text: piece })),
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason },
  ];
  const out = runStage(create(), events);
  return {
    text: out.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join(''),
    warnings: out.flatMap((event) => (event.type === 'warning' ? [event.warning.code] : [])),
    out,
  };
}

describe.each(['whole', 'chars'] as const)('bare JSON, %s', (cuts) => {
  it.each([
    ['a fence with a word', `\`\`\`json\n${json}\n\`\`\``],
    ['a fence without one', `\`\`\`\n${json}\n\`\`\`\n`],
    ['white space around it', `\n \`\`\`JSON \r\n${json} \n \`\`\` \n`],
    ['a fence that closes on the last line', `\`\`\`json\n${json}\`\`\``],
    ['a fence that never closes', `\`\`\`json\n${json}\n`],
    ['prose', `Sure!\n${json}\nThat is it.`],
  ])('A-051 takes off %s, and tells it', (_, text) => {
    expect(read(text, cuts)).toMatchObject({ text: json, warnings: ['text-dropped'] });
  });

  it.each([
    ['bare JSON', json],
    ['a number', '1'],
    ['a string of fences', '"```"'],
  ])('leaves %s as it is', (_, text) => {
    expect(read(text, cuts)).toMatchObject({ text, warnings: [] });
  });

  it('A-051 repairs what has one reading, and tells it', () => {
    expect(read("{'a': [True,],}", cuts)).toMatchObject({
      text: '{"a": [true]}',
      warnings: ['json-repaired', 'json-repaired', 'json-repaired'],
    });
  });

  it.each([
    ['prose', 'Sure! I will.'],
    ['JSON that breaks off', '{"a":1,'],
    ['half a fence', '``'],
    ['one that is never a line', `\`\`\`${'j'.repeat(300)}`],
    ['nothing', ''],
  ])('tells that %s is no JSON, and leaves it as it is', (_, text) => {
    expect(read(text, cuts)).toMatchObject({ text, warnings: ['format-missed'] });
  });
});

/** A reply of these blocks. */
function replyOf(...blocks: readonly (readonly [kind: 'text' | 'reasoning' | 'call', text: string])[]): ChatEvent[] {
  const events = blocks.flatMap(([kind, text], block): ChatEvent[] => {
    if (kind !== 'call') {
      const delta = kind === 'text' ? 'text-delta' : 'reasoning-delta';
      return [
        { type: `${kind}-start`, block },
        { type: delta, block, text },
        { type: `${kind}-end`, block },
      ];
    }
    return [
      { type: 'tool-call-start', block, callId: 'c', name: 'n' },
      { type: 'tool-call-delta', block, text },
      { type: 'tool-call-end', block, arguments: text },
    ];
  });
  return [{ type: 'message-start', id: 'x', model: 'm' }, ...events, { type: 'message-end', finishReason: 'stop' }];
}

it('A-051 text before a call is no answer: it passes as it is, before the call', () => {
  const reply = replyOf(['text', 'I look at {"a": 1}, then: ```json'], ['call', '{}'], ['text', '```json\n{}\n```']);
  const plain = replyOf(['text', 'I look there.'], ['call', '{}'], ['text', '```json\n{}\n```']);
  expect(runStage(create(), plain)).toEqual(plain);
  const said = runStage(create(), reply).flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
  expect(said).toEqual(['I look at {"a": 1}, then: ```json', '```json\n{}\n```']);
});

it('A-051 the JSON is found on both sides of what the model thinks meanwhile', () => {
  const out = runStage(create(), replyOf(['text', 'Let me see.'], ['reasoning', 'Graz.'], ['text', '{"a":1}']));
  expect(out).toEqual([
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'reasoning-start', block: 0 },
    { type: 'reasoning-delta', block: 0, text: 'Graz.' },
    { type: 'reasoning-end', block: 0 },
    { type: 'text-start', block: 1 },
    { type: 'text-delta', block: 1, text: '{"a":1}' },
    {
      type: 'warning',
      warning: { code: 'text-dropped', message: 'Text around the JSON was left out: "Let me see.".' },
    },
    { type: 'text-end', block: 1 },
    { type: 'message-end', finishReason: 'stop' },
  ]);
});

it('nothing that was held back is lost when the reply breaks off', () => {
  const error = new DragomanError('upstream-cut', 'It broke off.');
  const begun: readonly ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    { type: 'text-delta', block: 0, text: 'Here it is: {"a' },
  ];
  const text = (events: readonly ChatEvent[]) =>
    events.flatMap((each) => (each.type === 'text-delta' ? each.text : []));
  expect(text(runStage(create(), [...begun, { type: 'error', error }]))).toEqual(['Here it is: {"a']);
  expect(text(runStage(create(), begun, error))).toEqual(['Here it is: {"a']);
});

it('says that the model is at work while it holds text back', () => {
  let hidden = 0;
  runStage(
    createBareJson({ format: { type: 'json' }, hidden: () => (hidden += 1), waits: false }),
    replyOf(['text', 'Let me see.']),
  );
  expect(hidden).toBe(1);
});

it('does not judge an answer that was cut or that calls', () => {
  expect(read('{"a":', 'whole', 'length').warnings).toEqual([]);
  const call: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'tool-call-start', block: 0, callId: 'c', name: 'n' },
    { type: 'tool-call-delta', block: 0, text: '{}' },
    { type: 'tool-call-end', block: 0, arguments: '{}' },
    { type: 'message-end', finishReason: 'stop' },
  ];
  expect(runStage(create(), call)).toEqual(call);
});

it('lets JSON out while it is written', () => {
  const shown: ChatEvent[] = [];
  const stage = create()((event) => shown.push(event));
  stage.push({ type: 'text-start', block: 0 });
  stage.push({ type: 'text-delta', block: 0, text: '```json\n{"a": "b' });
  expect(shown.at(-1)).toEqual({ type: 'text-delta', block: 0, text: '{"a": "b' });
});
