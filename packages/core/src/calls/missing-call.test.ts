import { chatRequest } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { AnswerSink } from '../upstream/answer-sink.ts';
import { reportMissingCall } from './missing-call.ts';

const tools = [{ name: 'read', inputSchema: true }];

/** What is told of a reply that calls this tool, or none. */
function told(toolChoice: ChatRequest['toolChoice'], called?: string): readonly string[] {
  const events: ChatEvent[] = [];
  const to: AnswerSink = { event: (event) => events.push(event), flush: () => {} };
  const sink = reportMissingCall(to, chatRequest({ tools, toolChoice }));
  const writer = new EventWriter((event) => sink.event(event));
  writer.start('id', 'm');
  writer.text('fine');
  if (called !== undefined) {
    writer.callStart('c', called);
    writer.callDelta('{}');
    writer.callEnd();
  }
  writer.end('stop');
  return events.slice(-2).flatMap((event) => (event.type === 'warning' ? [event.warning.message] : []));
}

it('a call that is required and does not come is told before the end', () => {
  expect(told('required')).toEqual(['The request needs a call, and the reply has none.']);
  expect(told({ name: 'read' })).toEqual(['The request needs a call of "read", and the reply has none.']);
  expect(told({ name: 'read' }, 'write')).toHaveLength(1);
});

it('nothing is told where it came, or where none was required', () => {
  expect(told('required', 'read')).toEqual([]);
  expect(told({ name: 'read' }, 'read')).toEqual([]);
  expect(told('auto')).toEqual([]);
  expect(told('none')).toEqual([]);
  const sink: AnswerSink = { event: () => {}, flush: () => {} };
  expect(reportMissingCall(sink, chatRequest({ tools }))).toBe(sink);
});
