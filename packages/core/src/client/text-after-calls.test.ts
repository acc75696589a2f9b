import { violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { runStage } from '../stream/stage.ts';
import { createTextAfterCallsDrop } from './text-after-calls.ts';

function left(write: (writer: EventWriter) => void) {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write(writer);
  const out = runStage(createTextAfterCallsDrop(), list);
  expect(violationsOf(out)).toEqual([]);
  return collect(out);
}

function call(writer: EventWriter, id: string): void {
  writer.callStart(id, 'read');
  writer.callEnd();
}

describe('text after calls, left out', () => {
  it('B-089 keeps the text before, all calls and reasoning, and tells how much is missing', () => {
    const message = left((writer) => {
      writer.text('A ');
      call(writer, 'a');
      writer.text(' between ');
      writer.reasoning('hm');
      call(writer, 'b');
      writer.text(' B');
      writer.end('tool-calls');
    });
    expect(message).toMatchObject({ text: 'A ', reasoning: 'hm', finishReason: 'tool-calls', complete: true });
    expect(message.calls.map(({ callId }) => callId)).toEqual(['a', 'b']);
    expect(message.warnings).toEqual([
      { code: 'text-dropped', message: '11 characters of text after a call were left out.' },
    ]);
  });

  it('B-089 leaves a reply alone whose call was cut', () => {
    const message = left((writer) => {
      writer.text('A ');
      writer.callStart('a', 'read');
      writer.callDelta('{"pa');
      writer.callCut();
      writer.text('<read><pa');
      writer.end('stop');
    });
    expect(message).toMatchObject({ text: 'A <read><pa', calls: [], warnings: [] });
  });
});
