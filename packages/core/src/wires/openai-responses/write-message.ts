import type { ChatEvent } from '../../chat/event.ts';
import type { ReplyContext } from '../wire.ts';
import { EventSequence, type EventSequenceOptions } from './event-sequence.ts';
import type { WireResponse } from './types.ts';

/** A whole answer: the response that a stream of the same events would end with. */
export function writeMessage(
  events: readonly ChatEvent[],
  context: ReplyContext,
  options: EventSequenceOptions = {},
): WireResponse {
  let last: WireResponse | undefined;
  const onResponse = (response: WireResponse) => {
    last = response;
    options.onResponse?.(response);
  };
  const sequence = new EventSequence(() => {}, context, { ...options, onResponse });
  for (const event of events) sequence.push(event);
  sequence.end();
  if (last === undefined) throw new Error('a sequence of events always ends with a response');
  return last;
}
