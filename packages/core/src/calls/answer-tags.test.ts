import { cutText, everySingleCut } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { textOf } from '../chat/message.ts';
import { runStage } from '../stream/stage.ts';
import { createAnswerTags } from './answer-tags.ts';

function read(pieces: readonly string[]): string {
  const events: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    ...pieces.map((text): ChatEvent => ({ type: 'text-delta', block: 0, text })),
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason: 'stop' },
  ];
  return textOf(collect(runStage(createAnswerTags(), events)).content);
}

describe.each([
  ['<answer>It is late.</answer>', 'It is late.'],
  ['\n<answer>\nIt is late.\n</answer>', 'It is late.'],
  ['<answer>a </answer> b</answer>', 'a </answer> b'],
  ['<answer>cut in its closer </answ', 'cut in its closer </answ'],
  ['It is <answer>late</answer>', 'It is <answer>late</answer>'],
  ['<ans', '<ans'],
  ['<answer></answer>', ''],
])('%j', (written, said) => {
  it(`says ${JSON.stringify(said)}, however it was cut`, () => {
    for (const cuts of everySingleCut(written)) expect(read(cutText(written, cuts))).toBe(said);
    expect(read([...written])).toBe(said);
  });
});

it('lets an answer out while it is written', () => {
  const seen: ChatEvent[] = [];
  const stage = createAnswerTags()((event) => seen.push(event));
  stage.push({ type: 'message-start', id: 'x', model: 'm' });
  for (const text of ['<answer>', 'It ', 'is']) stage.push({ type: 'text-delta', block: 0, text });
  expect(seen.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(['It ', 'is']);
});
