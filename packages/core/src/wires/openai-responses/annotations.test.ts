import { chatRequest, openresponsesViolations } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../chat/event.ts';
import { parseSse } from '../../stream/sse-decoder.ts';
import { runStage, through } from '../../stream/stage.ts';
import { shiftAnnotation } from './annotations.ts';
import { openaiResponsesClient, openaiResponsesUpstream } from './index.ts';

const cited = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 };
const request = chatRequest({ model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }] });

const message = (...parts: readonly object[]) => ({ id: 'msg_1', type: 'message', role: 'assistant', content: parts });
const part = (text: string, annotations: readonly object[]) => ({ type: 'output_text', text, annotations });
const response = (...output: readonly object[]) => ({ id: 'resp_1', object: 'response', status: 'completed', output });

/** What is read of an upstream's events. */
function read(...events: readonly { readonly type: string }[]): readonly ChatEvent[] {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const fail = (error: Error) => expect.fail(error.message);
  return runStage(through(parseSse({ fail }), openaiResponsesUpstream.createStreamReader(request)), [text]);
}

const endOf = (events: readonly ChatEvent[]) => events.find(({ type }) => type === 'text-end');
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };

describe('annotations of a text', () => {
  const streamed = [
    { type: 'response.output_item.added', output_index: 0, item: message() },
    { type: 'response.output_text.delta', ...place, delta: 'Yes.' },
    { type: 'response.output_text.annotation.added', ...place, annotation_index: 0, annotation: cited },
    { type: 'response.output_text.done', ...place, text: 'Yes.' },
    { type: 'response.content_part.done', ...place, part: part('Yes.', [cited]) },
    { type: 'response.output_item.done', output_index: 0, item: message(part('Yes.', [cited])) },
    { type: 'response.completed', response: response(message(part('Yes.', [cited]))) },
  ];

  it('C-132 reach clients of the wire as events and in the item, each once', () => {
    const context = { request, replyId: 'abc', created: 1, elapsed: () => 0 };
    const frames = runStage(openaiResponsesClient.createStreamWriter(context), read(...streamed)).join('');
    expect(openresponsesViolations(frames)).toEqual([]);
    expect(frames.split('event: response.output_text.annotation.added').length).toBe(2);
    const completed = frames.slice(frames.lastIndexOf('data: {'));
    expect(JSON.parse(completed.slice('data: '.length)).response.output[0].content).toMatchObject([
      { type: 'output_text', text: 'Yes.', annotations: [cited] },
    ]);
  });

  it('are told to be for clients of the wire only', () => {
    expect(read(...streamed)).toContainEqual(
      expect.objectContaining({ type: 'warning', warning: expect.objectContaining({ code: 'field-dropped' }) }),
    );
  });

  it('are found in whole items that nothing streamed', () => {
    const events = read({ type: 'response.completed', response: response(message(part('Yes.', [cited]))) } as {
      readonly type: string;
    });
    expect(endOf(events)).toMatchObject({ extra: { 'openai-responses': { annotations: [cited] } } });
  });

  it('of a second part count from the start of the whole text', () => {
    const whole = message(part('Yes.', []), part('No.', [cited]));
    const events = read({ type: 'response.completed', response: response(whole) } as { readonly type: string });
    const moved = { ...cited, start_index: 4, end_index: 7 };
    expect(endOf(events)).toMatchObject({ extra: { 'openai-responses': { annotations: [moved] } } });
    expect(shiftAnnotation('odd', 4)).toBe('odd');
  });

  it('go back to the upstream with the history', () => {
    const body = {
      model: 'm',
      input: [message(part('Yes.', [cited])), { role: 'user', content: 'Go on.' }],
    };
    const { body: written } = openaiResponsesUpstream.writeRequest(openaiResponsesClient.readRequest(body), 'm', {});
    expect(written).toMatchObject({ input: [{ content: [{ text: 'Yes.', annotations: [cited] }] }, {}] });
  });
});
