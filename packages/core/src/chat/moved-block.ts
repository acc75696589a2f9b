import type { ChatEvent } from './event.ts';

/** The event where so many blocks before it have been put in, or left out where `by` is negative; the very same for none. */
export function movedBlock(event: ChatEvent, by: number): ChatEvent {
  return by === 0 || !('block' in event) ? event : { ...event, block: event.block + by };
}
