import type { ChatEvent } from '@dragoman/core';

/** The events with ids of calls that were made here as `minted_1`, `minted_2` and so on. */
export function numberMintedIds(events: readonly ChatEvent[]): ChatEvent[] {
  let minted = 0;
  return events.map((event) => {
    if (event.type !== 'tool-call-start' || !/^call_[0-9a-f]{24}$/.test(event.callId)) return event;
    minted += 1;
    return { ...event, callId: `minted_${minted}` };
  });
}
